// SPDX-License-Identifier: Apache-2.0

// The client of the official Go SDK: sessions, or stateless requests of revision 2026-07-28.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"mote/clients/scenario"
)

type client struct {
	era     string
	target  []string
	events  *scenario.Events
	level   string
	session *mcp.ClientSession
}

type withToken struct{ token string }

func (t withToken) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+t.token)
	return http.DefaultTransport.RoundTrip(request)
}

func (c *client) transport() mcp.Transport {
	if strings.HasPrefix(c.target[0], "http") {
		httpClient := &http.Client{Transport: withToken{os.Getenv("MOTE_TOKEN")}}
		return &mcp.StreamableClientTransport{Endpoint: c.target[0], HTTPClient: httpClient}
	}
	return &mcp.CommandTransport{Command: exec.Command(c.target[0], c.target[1:]...)}
}

func (c *client) elicit(_ context.Context, request *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	action, content := c.events.Elicit(request.Params.Message, request.Params.URL)
	return &mcp.ElicitResult{Action: action, Content: content}, nil
}

func (c *client) sample(_ context.Context, request *mcp.CreateMessageWithToolsRequest) (*mcp.CreateMessageWithToolsResult, error) {
	var texts []string
	for _, message := range request.Params.Messages {
		for _, item := range message.Content {
			if text, isText := item.(*mcp.TextContent); isText {
				texts = append(texts, text.Text)
			}
		}
	}
	c.events.Sample(texts...)
	return &mcp.CreateMessageWithToolsResult{
		Role: "assistant", Model: "m", Content: []mcp.Content{&mcp.TextContent{Text: "Hello."}}}, nil
}

func (c *client) Connect() (string, error) {
	options := &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{
			RootsV2: &mcp.RootCapabilities{},
			Elicitation: &mcp.ElicitationCapabilities{
				Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
		},
		CreateMessageWithToolsHandler: c.sample,
		ElicitationHandler:            c.elicit,
		LoggingMessageHandler: func(_ context.Context, request *mcp.LoggingMessageRequest) {
			c.events.Log(string(request.Params.Level), request.Params.Logger, request.Params.Data)
		},
		ProgressNotificationHandler: func(_ context.Context, request *mcp.ProgressNotificationClientRequest) {
			c.events.Progress(request.Params.Progress, request.Params.Total, request.Params.Message)
		},
		ResourceUpdatedHandler: func(_ context.Context, request *mcp.ResourceUpdatedNotificationRequest) {
			c.events.Updated(request.Params.URI)
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { c.events.ToolsChanged() },
	}
	own := mcp.NewClient(&mcp.Implementation{Name: "mote-tests", Version: "1"}, options)
	own.AddRoots(&mcp.Root{URI: "file:///work", Name: "work"})
	revision := map[string]string{"legacy": "2025-11-25", "modern": "2026-07-28"}[c.era]
	session, err := own.Connect(context.Background(), c.transport(), &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		return "", err
	}
	c.session = session
	result := session.InitializeResult()
	return fmt.Sprintf("%s %s %s", result.ServerInfo.Name, result.ServerInfo.Version, result.ProtocolVersion), nil
}

func (c *client) Close() error { return c.session.Close() }

func (c *client) Call(ctx context.Context, step *scenario.Step) (any, error) {
	params := &mcp.CallToolParams{Name: step.Name, Meta: mcp.Meta{}}
	if step.Arguments != nil {
		params.Arguments = step.Arguments
	}
	if step.WantsProgress() {
		params.SetProgressToken("progress")
	}
	if c.level != "" && c.era == "modern" {
		params.Meta[mcp.MetaKeyLogLevel] = c.level
	}
	return c.session.CallTool(ctx, params)
}

func (c *client) List(ctx context.Context, kind, cursor string) (any, error) {
	switch kind {
	case "tools":
		return c.session.ListTools(ctx, &mcp.ListToolsParams{Cursor: cursor})
	case "resources":
		return c.session.ListResources(ctx, &mcp.ListResourcesParams{Cursor: cursor})
	case "templates":
		return c.session.ListResourceTemplates(ctx, &mcp.ListResourceTemplatesParams{Cursor: cursor})
	}
	return c.session.ListPrompts(ctx, &mcp.ListPromptsParams{Cursor: cursor})
}

func (c *client) Read(ctx context.Context, uri string) (any, error) {
	return c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
}

func (c *client) Prompt(ctx context.Context, name string, arguments map[string]string) (any, error) {
	return c.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: name, Arguments: arguments})
}

func (c *client) Complete(ctx context.Context, step *scenario.Step) (any, error) {
	reference := &mcp.CompleteReference{Type: "ref/prompt", Name: step.Prompt}
	if step.Template != "" {
		reference = &mcp.CompleteReference{Type: "ref/resource", URI: step.Template}
	}
	params := &mcp.CompleteParams{Ref: reference, Argument: mcp.CompleteParamsArgument{Name: step.Argument, Value: step.Value}}
	if step.Others != nil {
		params.Context = &mcp.CompleteContext{Arguments: step.Others}
	}
	return c.session.Complete(ctx, params)
}

func (c *client) Subscribe(ctx context.Context, uris []string) error {
	for _, uri := range uris {
		if err := c.session.Subscribe(ctx, &mcp.SubscribeParams{URI: uri}); err != nil {
			return err
		}
	}
	return nil
}

func (c *client) SetLevel(ctx context.Context, level string) error {
	c.level = level
	if c.era == "modern" {
		return nil
	}
	return c.session.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: mcp.LoggingLevel(level)})
}

func (c *client) Failure(err error) string {
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return fmt.Sprintf("%d %s", wire.Code, wire.Message)
	}
	return err.Error()
}

func main() {
	scenario.Main(func(era string, target []string, events *scenario.Events) scenario.Client {
		return &client{era: era, target: target, events: events}
	})
}
