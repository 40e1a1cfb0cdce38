// This file is put into the package httprr of a suite: its recorder is off, and `tapedeck serve` plays the recordings. Requests
// go to the proxy as if the clients had its base URLs.
package httprr

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
)

var (
	servedTapes   = map[string]string{}
	servedTapesMu sync.Mutex
)

// servedAt starts serve for a recording, once, and returns the proxy's base URL. The process ends with that of the tests,
// because its input does.
func servedAt(tape string) (string, error) {
	servedTapesMu.Lock()
	defer servedTapesMu.Unlock()
	if base, started := servedTapes[tape]; started {
		return base, nil
	}
	arguments := []string{os.Getenv("TAPEDECK_ENGINE"), "serve", "--tape", tape, "--replay", "--on-drift", "warn", "--json"}
	for _, host := range servedHosts() {
		if name, address, named := strings.Cut(host[1], "@"); named {
			arguments = append(arguments, "--upstream", name+"="+address)
		}
	}
	log, err := os.OpenFile(os.Getenv("TAPEDECK_SUITE_LOG"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return "", err
	}
	serve := exec.Command("timeout", append([]string{"60", "node"}, arguments...)...)
	serve.Stderr = log
	output, err := serve.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := serve.Start(); err != nil {
		return "", err
	}
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err != nil {
		return "", err
	}
	var variables map[string]string
	if err := json.Unmarshal(line, &variables); err != nil {
		return "", err
	}
	servedTapes[tape] = variables["TAPEDECK_PROXY"]
	return servedTapes[tape], nil
}

// servedHosts are the pairs of TAPEDECK_SUITE_HOSTS: a host, and the name of its API.
func servedHosts() [][2]string {
	var hosts [][2]string
	for _, pair := range strings.Split(os.Getenv("TAPEDECK_SUITE_HOSTS"), ",") {
		if host, name, ok := strings.Cut(pair, "="); ok {
			hosts = append(hosts, [2]string{host, name})
		}
	}
	return hosts
}

// servedRoundTrip sends a request to the serve of its recording. The second value is false where the host is none of ours.
func servedRoundTrip(tape string, request *http.Request) (*http.Response, bool, error) {
	for _, host := range servedHosts() {
		if host[0] != request.URL.Host {
			continue
		}
		base, err := servedAt(tape)
		if err != nil {
			return nil, true, err
		}
		name, _, _ := strings.Cut(host[1], "@")
		address, err := url.Parse(base + "/" + name + request.URL.RequestURI())
		if err != nil {
			return nil, true, err
		}
		led := request.Clone(request.Context())
		led.URL, led.Host = address, address.Host
		if request.Body != nil {
			content, err := io.ReadAll(request.Body)
			if err != nil {
				return nil, true, err
			}
			led.Body, led.ContentLength = io.NopCloser(strings.NewReader(string(content))), int64(len(content))
		}
		response, err := http.DefaultTransport.RoundTrip(led)
		return response, true, err
	}
	return nil, false, nil
}
