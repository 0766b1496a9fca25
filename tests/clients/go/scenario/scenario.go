// SPDX-License-Identifier: Apache-2.0

// Package scenario plays steps of tests/clients/scenario.tsv with a client in Go. The clients differ in the library they use.
package scenario

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	limit    = 30 * time.Second // of one wait for a notification
	longText = 300              // characters of a text that is printed whole
)

// Step has the parameters of one row.
type Step struct {
	Name      string
	Arguments map[string]any
	List      string
	URI       string
	URIs      []string
	Prompt    string
	Template  string
	Argument  string
	Value     string
	Others    map[string]string
	Level     string
	Cancel    bool
	Timeout   int // milliseconds
	Expect    map[string]int
	Answer    *struct {
		Action  string
		Content map[string]any
	}
}

// StringArguments returns the arguments of a prompt.
func (s *Step) StringArguments() map[string]string {
	if s.Arguments == nil {
		return nil
	}
	arguments := map[string]string{}
	for name, value := range s.Arguments {
		arguments[name] = value.(string)
	}
	return arguments
}

// WantsProgress says whether a call asks for progress notifications.
func (s *Step) WantsProgress() bool { return s.Cancel || s.Expect["progress"] > 0 }

// Client is one library. Results are any value that encodes as on the wire.
type Client interface {
	Connect() (string, error)
	Close() error
	Call(ctx context.Context, step *Step) (any, error)
	List(ctx context.Context, kind, cursor string) (any, error)
	Read(ctx context.Context, uri string) (any, error)
	Prompt(ctx context.Context, name string, arguments map[string]string) (any, error)
	Complete(ctx context.Context, step *Step) (any, error)
	Subscribe(ctx context.Context, uris []string) error
	SetLevel(ctx context.Context, level string) error
	// Failure returns the code and the text that the library has for an error.
	Failure(err error) string
}

// Events is what the server sends during one step.
type Events struct {
	mutex      sync.Mutex
	step       *Step
	lines      map[string][]string
	changed    chan struct{}
	progressed chan struct{}
}

func (e *Events) begin(step *Step) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	e.step = step
	e.lines = map[string][]string{}
	e.changed = make(chan struct{}, 1)
	e.progressed = make(chan struct{}, 1)
}

func signal(channel chan struct{}) {
	select {
	case channel <- struct{}{}:
	default:
	}
}

func (e *Events) add(kind, line string) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if wanted, expected := e.step.Expect[kind]; kind == "input" || expected && (kind != "progress" || len(e.lines[kind]) < wanted) {
		e.lines[kind] = append(e.lines[kind], line)
	}
	if kind == "progress" {
		signal(e.progressed)
	}
	signal(e.changed)
}

// Progress takes one progress notification.
func (e *Events) Progress(done, total float64, message string) {
	text := fmt.Sprintf("progress %s/%s", number(done), number(total))
	if message != "" {
		text += " " + message
	}
	e.add("progress", text)
}

// Log takes one log message.
func (e *Events) Log(level, logger string, data any) {
	text, isText := data.(string)
	if !isText {
		text = compact(data)
	}
	e.add("logs", fmt.Sprintf("log %s %s %s", level, logger, text))
}

// Updated takes the update of a resource.
func (e *Events) Updated(uri string) { e.add("updates", "updated "+uri) }

// ToolsChanged takes the notification of the list of tools.
func (e *Events) ToolsChanged() { e.add("changes", "changed tools") }

// Elicit takes an elicitation, and returns what the user does.
func (e *Events) Elicit(message, url string) (string, map[string]any) {
	if url != "" {
		message += " " + url
	}
	e.add("input", "elicit "+message)
	if e.step.Answer == nil {
		return "cancel", nil
	}
	return e.step.Answer.Action, e.step.Answer.Content
}

// Sample takes a sampling request. Each text is one item of its messages.
func (e *Events) Sample(texts ...string) {
	for i, text := range texts {
		texts[i] = printed(text)
	}
	e.add("input", "sample "+strings.Join(texts, " "))
}

func (e *Events) count(kind string) int {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return len(e.lines[kind])
}

func (e *Events) complete() {
	for kind, count := range e.step.Expect {
		late := time.After(limit)
		for e.count(kind) < count {
			select {
			case <-e.changed:
			case <-late:
				e.mutex.Lock()
				e.lines[kind] = append(e.lines[kind], fmt.Sprintf("no more %s within %s", kind, limit))
				e.mutex.Unlock()
				count = 0
			}
		}
	}
}

func (e *Events) parts() []string {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	sort.Strings(e.lines["updates"]) // notifications of two targets have no order
	var parts []string
	for _, kind := range []string{"progress", "input", "logs", "updates", "changes"} {
		parts = append(parts, e.lines[kind]...)
	}
	return parts
}

func number(value float64) string { return strconv.FormatFloat(value, 'f', -1, 64) }

func printed(text string) string {
	if count := utf8.RuneCountInString(text); count > longText {
		return fmt.Sprintf("%d characters", count)
	}
	return strings.NewReplacer("\\", "\\\\", "\n", "\\n", "\t", "\\t").Replace(text)
}

func compact(value any) string {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(buffer.String(), "\n")
}

// wire returns a result as its JSON, with the members of all that the steps print.
func wire(result any) (decoded message, err error) {
	encoded, err := json.Marshal(result)
	if err == nil {
		err = json.Unmarshal(encoded, &decoded)
	}
	return decoded, err
}

type contents struct {
	URI      string
	MimeType string
	Text     *string
	Blob     *string
}

type block struct {
	Type     string
	Text     string
	MimeType string
	Data     string
	URI      string
	Resource contents
}

type named struct{ Name string }

type message struct {
	IsError           bool
	Content           []block
	StructuredContent any
	Contents          []contents
	Messages          []struct {
		Role    string
		Content block
	}
	Completion        struct{ Values []string }
	NextCursor        string
	Tools             []named
	Resources         []named
	ResourceTemplates []named
	Prompts           []named
}

func size(data string) string {
	decoded, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d bytes", len(decoded))
}

func (c contents) body() string {
	switch {
	case c.Blob != nil:
		return size(*c.Blob)
	case c.Text != nil:
		return printed(*c.Text)
	}
	return ""
}

func (b block) line() string {
	switch b.Type {
	case "text":
		return "text " + printed(b.Text)
	case "image", "audio":
		return fmt.Sprintf("%s %s %s", b.Type, b.MimeType, size(b.Data))
	case "resource":
		return fmt.Sprintf("resource %s %s", b.Resource.URI, b.Resource.body())
	}
	return "link " + b.URI
}

type player struct {
	client Client
	events *Events
	input  *bufio.Reader
}

var errCancelled = errors.New("cancelled")

func (p *player) call(step *Step) ([]string, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if step.Timeout > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(step.Timeout)*time.Millisecond)
		defer cancel()
	}
	if step.Cancel {
		go func() {
			<-p.events.progressed
			cancel()
		}()
	}
	result, err := p.client.Call(ctx, step)
	if err != nil {
		switch {
		case step.Cancel && ctx.Err() != nil:
			return nil, errCancelled
		case step.Timeout > 0 && ctx.Err() != nil:
			return nil, context.DeadlineExceeded
		}
		return nil, err
	}
	decoded, err := wire(result)
	if err != nil {
		return nil, err
	}
	parts := []string{"ok"}
	if decoded.IsError {
		parts[0] = "failed"
	}
	for _, item := range decoded.Content {
		parts = append(parts, item.line())
	}
	if decoded.StructuredContent != nil {
		parts = append(parts, "structured "+compact(decoded.StructuredContent))
	}
	return parts, nil
}

func (p *player) list(ctx context.Context, kind string) ([]string, error) {
	var rows []named
	for cursor := ""; ; {
		result, err := p.client.List(ctx, kind, cursor)
		if err != nil {
			return nil, err
		}
		page, err := wire(result)
		if err != nil {
			return nil, err
		}
		for _, more := range [][]named{page.Tools, page.Resources, page.ResourceTemplates, page.Prompts} {
			rows = append(rows, more...)
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	if len(rows) == 0 {
		return []string{"0 " + kind}, nil
	}
	return []string{fmt.Sprintf("%d %s from %s to %s", len(rows), kind, rows[0].Name, rows[len(rows)-1].Name)}, nil
}

func (p *player) print(result any, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	decoded, err := wire(result)
	parts := []string{"ok"}
	for _, one := range decoded.Contents {
		mime := one.MimeType
		if mime == "" {
			mime = "-"
		}
		parts = append(parts, fmt.Sprintf("%s %s %s", one.URI, mime, one.body()))
	}
	for _, one := range decoded.Messages {
		parts = append(parts, one.Role+" "+one.Content.line())
	}
	return append(parts, decoded.Completion.Values...), err
}

func done(err error) ([]string, error) { return []string{"ok"}, err }

func (p *player) play(operation string, step *Step) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*limit)
	defer cancel()
	switch operation {
	case "connect":
		line, err := p.client.Connect()
		return []string{line}, err
	case "reconnect":
		_ = p.client.Close() // the server may be gone
		_, err := p.client.Connect()
		return done(err)
	case "restart":
		// The caller of this program restarts the server, then it writes a line.
		fmt.Println("restart")
		_, err := p.input.ReadString('\n')
		return done(err)
	case "end":
		return done(p.client.Close())
	case "call":
		return p.call(step)
	case "list":
		return p.list(ctx, step.List)
	case "read":
		return p.print(p.client.Read(ctx, step.URI))
	case "prompt":
		return p.print(p.client.Prompt(ctx, step.Name, step.StringArguments()))
	case "complete":
		return p.print(p.client.Complete(ctx, step))
	case "subscribe":
		return done(p.client.Subscribe(ctx, step.URIs))
	case "log":
		return done(p.client.SetLevel(ctx, step.Level))
	}
	return nil, fmt.Errorf("unknown operation %s", operation)
}

func (p *player) row(name, operation, parameters string) {
	step := &Step{}
	if err := json.Unmarshal([]byte(parameters), step); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	p.events.begin(step)
	parts, err := p.play(operation, step)
	switch {
	case errors.Is(err, errCancelled):
		parts = []string{"cancelled"}
	case errors.Is(err, context.DeadlineExceeded):
		parts = []string{"timeout"}
	case err != nil:
		parts = []string{"error " + printed(p.client.Failure(err))}
	default:
		p.events.complete()
	}
	fmt.Printf("%s\t%s\n", name, strings.Join(append(p.events.parts(), parts...), " | "))
}

// Main plays the steps of the command line: STEPS ERA URL|COMMAND [ARGUMENT...].
func Main(open func(era string, target []string, events *Events) Client) {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: client STEPS ERA URL|COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	events := &Events{}
	player := player{open(os.Args[2], os.Args[3:], events), events, bufio.NewReader(os.Stdin)}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		cells := strings.Split(line, "\t")
		player.row(cells[0], cells[1], cells[2])
	}
}
