// Package tapedeck gives each test of an LLM agent a tape of its own: recorded once, replayed without a network.
//
//	client := openai.NewClient(option.WithBaseURL(tapedeck.URL(t, "openai")))
//	client := http.Client{Transport: tapedeck.Transport(t)}
//
// The tape is testdata/tapes/TEST.tape.jsonl. A request that is not on it fails its test, whatever the code makes of the
// error. `go test -tapedeck=rewrite` records again; in CI, nothing is recorded unless that flag says so.
package tapedeck

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

var modeFlag = flag.String("tapedeck", "", "where responses come from: none (a replay), once, new, or rewrite")

// URL is the base URL of an API, such as "openai", for a client of this test.
func URL(t testing.TB, api string) string {
	t.Helper()
	return laneOf(t).url + "/" + api
}

// Transport leads whatever a client of this test asks to its tape, at any address.
func Transport(t testing.TB) http.RoundTripper {
	t.Helper()
	return transport{laneOf(t).url}
}

type transport struct{ lane string }

func (to transport) RoundTrip(request *http.Request) (*http.Response, error) {
	from := *request.URL
	led, err := url.Parse(to.lane + "/@/" + from.Scheme + "/" + from.Host + from.EscapedPath())
	if err != nil {
		return nil, err
	}
	led.RawQuery = from.RawQuery
	own := request.Clone(request.Context())
	own.URL, own.Host = led, ""
	return http.DefaultTransport.RoundTrip(own)
}

// Of one test, until its cleanup.
type lane struct {
	url  string
	tape string
}

var (
	lanes sync.Map
	count atomic.Int64
)

func laneOf(t testing.TB) lane {
	t.Helper()
	if known, ok := lanes.Load(t); ok {
		return known.(lane)
	}
	base := serverFor(t)
	one := lane{fmt.Sprintf("%s/~go-%d-%d", base, os.Getpid(), count.Add(1)), tapeOf(t.Name())}
	absolute, err := filepath.Abs(one.tape)
	if err != nil {
		t.Fatal("Tapedeck: ", err)
	}
	plan := map[string]string{"tape": absolute, "mode": mode(), "test": testFile() + t.Name(), "rerecord": "Record it again: " + rewrite(t.Name())}
	if _, err := ask("PUT", one.url, plan); err != nil {
		t.Fatal("Tapedeck: ", err)
	}
	lanes.Store(t, one)
	t.Cleanup(func() { end(t, one) })
	return one
}

// Begins the id that the tape keeps: the file of the test, beside which its tape is; empty where a goroutine asks first.
func testFile() string {
	calls := make([]uintptr, 64)
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls)])
	file := ""
	for {
		frame, more := frames.Next()
		if strings.HasSuffix(frame.File, "_test.go") {
			file = path.Base(filepath.ToSlash(frame.File)) + "::"
		}
		if !more {
			return file
		}
	}
}

// What the engine says of a lane.
type result struct {
	Failures []struct {
		Explanation string
		Line        string
	}
	Error struct{ Message string }
}

func end(t testing.TB, one lane) {
	t.Helper()
	lanes.Delete(t)
	outcome := "passed"
	if t.Failed() {
		outcome = "failed"
	} else if t.Skipped() {
		outcome = "skipped"
	}
	did, err := ask("DELETE", one.url+"?outcome="+outcome, nil)
	if err != nil {
		t.Error("Tapedeck: ", err)
	} else if len(did.Failures) > 0 {
		t.Error(failure(did, one.tape))
	}
}

func failure(did result, tape string) string {
	first := did.Failures[0]
	headline, details, _ := strings.Cut(first.Explanation, "\n")
	if first.Line != "" {
		headline = "the request is not on " + filepath.ToSlash(tape)
	}
	lines := []string{"Tapedeck: " + headline}
	for _, line := range strings.Split(details, "\n") {
		if trimmed := strings.TrimSpace(line); trimmed != "" {
			lines = append(lines, "  "+trimmed)
		}
	}
	if more := len(did.Failures) - 1; more > 0 {
		lines = append(lines, fmt.Sprintf("  %d more of its requests failed.", more))
	}
	return strings.Join(lines, "\n")
}

// By an own client, because a test may replace the default one.
var control = &http.Client{Transport: &http.Transport{}}

func ask(method, address string, body any) (result, error) {
	var did result
	written := []byte{}
	if body != nil {
		written, _ = json.Marshal(body)
	}
	request, err := http.NewRequest(method, address, bytes.NewReader(written))
	if err != nil {
		return did, err
	}
	response, err := control.Do(request)
	if err != nil {
		return did, fmt.Errorf("its server has ended: %w", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return did, err
	}
	if len(text) > 0 {
		err = json.Unmarshal(text, &did)
	}
	if response.StatusCode >= 400 {
		return did, errors.New(did.Error.Message)
	}
	return did, err
}

// One server for the tests of a package, unless the environment names one. It ends with this process, which holds its stdin.
var (
	starting sync.Once
	base     string
	starts   error
	stdin    io.WriteCloser
)

func serverFor(t testing.TB) string {
	t.Helper()
	starting.Do(func() { base, starts = start() })
	if errors.Is(starts, exec.ErrNotFound) && !isCI() {
		t.Skip("The command line of Tapedeck is not installed. It needs Node 20: npm install --global @tapedeck/cli")
	}
	if starts != nil {
		t.Fatal("Tapedeck: ", starts)
	}
	return base
}

func start() (string, error) {
	if running := os.Getenv("TAPEDECK_PROXY"); running != "" {
		return running, nil
	}
	mayRecord := "--auto"
	if mode() == "none" {
		mayRecord = "--replay"
	}
	command := strings.Fields(os.Getenv("TAPEDECK_ENGINE"))
	if len(command) == 0 {
		command = []string{"tapedeck"}
	}
	command = append(command, "serve", "--tape", filepath.Join("testdata", "tapes", "{lane}"+ending), mayRecord, "--forward", "--attached", "--json")
	server := exec.Command(command[0], command[1:]...)
	var said bytes.Buffer
	server.Stderr = &said
	stdout, err := server.StdoutPipe()
	if err != nil {
		return "", err
	}
	if stdin, err = server.StdinPipe(); err != nil {
		return "", err
	}
	if err := server.Start(); err != nil {
		return "", err
	}
	line, _ := bufio.NewReader(stdout).ReadBytes('\n')
	var variables map[string]string
	if json.Unmarshal(line, &variables) != nil {
		_ = server.Wait()
		return "", fmt.Errorf("its server cannot start: %s", strings.TrimSpace(said.String()))
	}
	return variables["TAPEDECK_PROXY"], nil
}

// As the command line of Tapedeck calls them.
var engineModes = map[string]string{"replay": "none", "record": "rewrite", "auto": "new"}

// Where responses come from. In CI, only the flag can choose to record.
func mode() string {
	if *modeFlag != "" {
		return *modeFlag
	}
	given := os.Getenv("TAPEDECK_MODE")
	if known, ok := engineModes[given]; ok {
		given = known
	}
	if isCI() {
		return "none"
	}
	if given == "" {
		return "once"
	}
	return given
}

func isCI() bool {
	ci := os.Getenv("CI")
	return ci != "" && ci != "0" && ci != "false"
}

const ending = ".tape.jsonl"

var notInNames = regexp.MustCompile(`[^\pL\pN._=,+@()\[\]{}#-]+`)

// A subtest is in the folder of its test. Two tests never share a file: a name that no file can have gets a digest.
func tapeOf(name string) string {
	parts := strings.Split(name, "/")
	for at, part := range parts {
		plain := strings.TrimLeft(notInNames.ReplaceAllString(part, "-"), ".")
		if len(plain) > 100 {
			plain = strings.ToValidUTF8(plain[:100], "")
		}
		if plain != part {
			plain += fmt.Sprintf("-%x", sha256.Sum256([]byte(part)))[:9]
		}
		parts[at] = plain
	}
	return filepath.Join("testdata", "tapes", filepath.FromSlash(path.Join(parts...))+ending)
}

func rewrite(name string) string {
	parts := strings.Split(name, "/")
	for at, part := range parts {
		parts[at] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return "go test -run '" + strings.Join(parts, "/") + "' . -tapedeck=rewrite"
}
