// Calls the echo with grpc-go, and prints what it got.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

func main() {
	last := "c"
	if len(os.Args) > 1 {
		last = os.Args[1]
	}
	echo("echo.test:443", credentials.NewTLS(&tls.Config{}), last)
	echo("plain.test:80", insecure.NewCredentials(), last)
}

func echo(target string, how credentials.TransportCredentials, last string) {
	connection, err := grpc.NewClient(target, grpc.WithTransportCredentials(how))
	check(err)
	defer connection.Close()
	said := &wrapperspb.StringValue{}
	check(connection.Invoke(context.Background(), "/test.Echo/Unary", wrapperspb.String("a"), said))
	fmt.Println(said.Value)
	for _, name := range []string{"Count", "Join", "Talk"} {
		words := []string{"a", "b", last}
		if name == "Count" {
			words = []string{"3"}
		}
		description := &grpc.StreamDesc{ServerStreams: name != "Join", ClientStreams: name != "Count"}
		stream, err := connection.NewStream(context.Background(), description, "/test.Echo/"+name)
		check(err)
		for _, word := range words {
			check(stream.SendMsg(wrapperspb.String(word)))
		}
		check(stream.CloseSend())
		for {
			message := &wrapperspb.StringValue{}
			err := stream.RecvMsg(message)
			if err == io.EOF {
				break
			}
			check(err)
			fmt.Println(name, message.Value)
		}
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
