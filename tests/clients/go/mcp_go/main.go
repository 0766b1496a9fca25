// SPDX-License-Identifier: Apache-2.0

// The client of mcp-go: sessions, or stateless requests of revision 2026-07-28.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"mote/clients/scenario"
)

type player struct {
	era    string
	target []string
	events *scenario.Events
	level  string
	own    *client.Client
	stop   func()
	// Receives when the server has acknowledged a subscription.
	acknowledged chan struct{}
	cancelled    chan struct{}
}

func (p *player) Elicit(_ context.Context, request mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	action, content := p.events.Elicit(request.Params.Message, request.Params.URL)
	response := mcp.ElicitationResponse{Action: mcp.ElicitationResponseAction(action)}
	if content != nil {
		response.Content = content
	}
	return &mcp.ElicitationResult{ElicitationResponse: response}, nil
}

func (p *player) CreateMessage(_ context.Context, request mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	var texts []string
	for _, message := range request.Messages {
		var items []struct{ Text string }
		encoded, err := json.Marshal(message.Content)
		if err != nil {
			return nil, err
		}
		if json.Unmarshal(encoded, &items) != nil {
			items = make([]struct{ Text string }, 1)
			if err := json.Unmarshal(encoded, &items[0]); err != nil {
				return nil, err
			}
		}
		for _, item := range items {
			texts = append(texts, item.Text)
		}
	}
	p.events.Sample(texts...)
	message := mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: mcp.NewTextContent("Hello.")}
	return &mcp.CreateMessageResult{SamplingMessage: message, Model: "m"}, nil
}

func (p *player) ListRoots(context.Context, mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return &mcp.ListRootsResult{Roots: []mcp.Root{{URI: "file:///work", Name: "work"}}}, nil
}

func (p *player) notified(notification mcp.JSONRPCNotification) {
	fields := notification.Params.AdditionalFields
	text := func(name string) string {
		value, _ := fields[name].(string)
		return value
	}
	number := func(name string) float64 {
		value, _ := fields[name].(float64)
		return value
	}
	switch notification.Method {
	case "notifications/progress":
		p.events.Progress(number("progress"), number("total"), text("message"))
	case "notifications/message":
		p.events.Log(text("level"), text("logger"), fields["data"])
	case "notifications/resources/updated":
		p.events.Updated(text("uri"))
	case "notifications/tools/list_changed":
		p.events.ToolsChanged()
	case mcp.MethodNotificationSubscriptionsAcknowledged:
		p.acknowledged <- struct{}{}
	}
}

// The library sends the cancellation of a call in the background. This transport says when it has left.
type stdio struct {
	*transport.Stdio
	cancelled chan struct{}
}

func (s stdio) SendNotification(ctx context.Context, notification mcp.JSONRPCNotification) error {
	err := s.Stdio.SendNotification(ctx, notification)
	if notification.Method == string(mcp.MethodNotificationCancelled) {
		s.cancelled <- struct{}{}
	}
	return err
}

func (p *player) transport() (transport.Interface, error) {
	if !strings.HasPrefix(p.target[0], "http") {
		p.cancelled = make(chan struct{}, 1)
		return stdio{transport.NewStdio(p.target[0], os.Environ(), p.target[1:]...), p.cancelled}, nil
	}
	headers := map[string]string{"Authorization": "Bearer " + os.Getenv("MOTE_TOKEN")}
	options := []transport.StreamableHTTPCOption{transport.WithHTTPHeaders(headers)}
	if p.era == "legacy" { // with this option, the library supports sessions only
		options = append(options, transport.WithContinuousListening())
	}
	return transport.NewStreamableHTTP(p.target[0], options...)
}

func (p *player) Connect() (string, error) {
	way, err := p.transport()
	if err != nil {
		return "", err
	}
	revision := map[string]string{"legacy": "2025-11-25", "modern": "2026-07-28"}[p.era]
	elicitation := &mcp.ElicitationCapability{Form: &struct{}{}, URL: &struct{}{}}
	p.own = client.NewClient(way, client.WithProtocolVersion(revision),
		client.WithClientCapabilities(mcp.ClientCapabilities{Elicitation: elicitation}),
		client.WithElicitationHandler(p),
		client.WithSamplingHandler(p), client.WithRootsHandler(p))
	p.own.OnNotification(p.notified)
	if err := p.own.Start(context.Background()); err != nil {
		return "", err
	}
	request := mcp.InitializeRequest{}
	request.Params.ProtocolVersion = revision
	request.Params.ClientInfo = mcp.Implementation{Name: "mote-tests", Version: "1"}
	result, err := p.own.Initialize(context.Background(), request)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %s", result.ServerInfo.Name, result.ServerInfo.Version, result.ProtocolVersion), nil
}

func (p *player) Close() error {
	if p.stop != nil {
		p.stop()
		p.stop = nil
	}
	return p.own.Close()
}

func (p *player) Call(ctx context.Context, step *scenario.Step) (any, error) {
	request := mcp.CallToolRequest{}
	request.Params.Name = step.Name
	if step.Arguments != nil {
		request.Params.Arguments = step.Arguments
	}
	meta := &mcp.Meta{}
	if step.WantsProgress() {
		meta.ProgressToken = "progress"
		request.Params.Meta = meta
	}
	if p.level != "" && p.era == "modern" {
		meta.SetLogLevel(mcp.LoggingLevel(p.level))
		request.Params.Meta = meta
	}
	result, err := p.own.CallTool(ctx, request)
	if err != nil && ctx.Err() != nil && p.cancelled != nil {
		<-p.cancelled
	}
	return result, err
}

func (p *player) List(ctx context.Context, kind, cursor string) (any, error) {
	page := mcp.PaginatedRequest{}
	page.Params.Cursor = mcp.Cursor(cursor)
	switch kind {
	case "tools":
		return p.own.ListToolsByPage(ctx, mcp.ListToolsRequest{PaginatedRequest: page})
	case "resources":
		return p.own.ListResourcesByPage(ctx, mcp.ListResourcesRequest{PaginatedRequest: page})
	case "templates":
		return p.own.ListResourceTemplatesByPage(ctx, mcp.ListResourceTemplatesRequest{PaginatedRequest: page})
	}
	return p.own.ListPromptsByPage(ctx, mcp.ListPromptsRequest{PaginatedRequest: page})
}

func (p *player) Read(ctx context.Context, uri string) (any, error) {
	request := mcp.ReadResourceRequest{}
	request.Params.URI = uri
	return p.own.ReadResource(ctx, request)
}

func (p *player) Prompt(ctx context.Context, name string, arguments map[string]string) (any, error) {
	request := mcp.GetPromptRequest{}
	request.Params.Name = name
	request.Params.Arguments = arguments
	return p.own.GetPrompt(ctx, request)
}

func (p *player) Complete(ctx context.Context, step *scenario.Step) (any, error) {
	request := mcp.CompleteRequest{}
	request.Params.Ref = mcp.PromptReference{Type: "ref/prompt", Name: step.Prompt}
	if step.Template != "" {
		request.Params.Ref = mcp.ResourceReference{Type: "ref/resource", URI: step.Template}
	}
	request.Params.Argument = mcp.CompleteArgument{Name: step.Argument, Value: step.Value}
	request.Params.Context = mcp.CompleteContext{Arguments: step.Others}
	return p.own.Complete(ctx, request)
}

func (p *player) Subscribe(ctx context.Context, uris []string) error {
	if p.era == "modern" {
		filter := mcp.SubscriptionFilter{ToolsListChanged: true, ResourceSubscriptions: uris}
		stop, err := p.own.ListenAsync(context.Background(), filter, nil)
		p.stop = stop
		if err != nil {
			return err
		}
		select {
		case <-p.acknowledged:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, uri := range uris {
		request := mcp.SubscribeRequest{}
		request.Params.URI = uri
		if err := p.own.Subscribe(ctx, request); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) SetLevel(ctx context.Context, level string) error {
	p.level = level
	if p.era == "modern" {
		return nil
	}
	request := mcp.SetLevelRequest{}
	request.Params.Level = mcp.LoggingLevel(level)
	return p.own.SetLevel(ctx, request)
}

// The library has a value for each code, and puts its text before the text of the server.
func (p *player) Failure(err error) string {
	for code, known := range map[int]error{-32602: mcp.ErrInvalidParams, -32002: mcp.ErrResourceNotFound} {
		if errors.Is(err, known) {
			return fmt.Sprintf("%d %s", code, strings.TrimPrefix(err.Error(), known.Error()+": "))
		}
	}
	return err.Error()
}

func main() {
	scenario.Main(func(era string, target []string, events *scenario.Events) scenario.Client {
		return &player{era: era, target: target, events: events, acknowledged: make(chan struct{}, 1)}
	})
}
