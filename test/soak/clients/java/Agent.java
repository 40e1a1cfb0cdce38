import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import javax.net.ssl.HttpsURLConnection;

/** Asks a web API by its own address, with the client that is named, and prints the answer. */
class Agent {
    private static final URI FORECAST = URI.create("https://api.weather.test/forecast?city=Berlin");

    public static void main(String[] args) throws Exception {
        System.out.println(args[0].equals("java.net.http") ? withHttpClient() : withConnection());
    }

    private static String withHttpClient() throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(FORECAST).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    private static String withConnection() throws IOException {
        var connection = (HttpsURLConnection) FORECAST.toURL().openConnection();
        try (var body = connection.getInputStream()) {
            return new String(body.readAllBytes());
        }
    }
}
