//! Asks a web API by its own address, with the client that is named, and prints the answer.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = "https://api.weather.test/forecast?city=Berlin";
    let answer = match std::env::args().nth(1).as_deref() {
        Some("reqwest-webpki-roots") => reqwest_of_old::blocking::get(url)?.text()?,
        _ => reqwest::blocking::get(url)?.text()?,
    };
    println!("{answer}");
    Ok(())
}
