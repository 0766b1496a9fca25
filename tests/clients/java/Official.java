// SPDX-License-Identifier: Apache-2.0

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The client of the official Java SDK. */
final class Official implements Scenario.Client {
  private static final McpJsonMapper MAPPER = McpJsonDefaults.getMapper();
  private static final TypeRef<Map<String, Object>> MAP = new TypeRef<>() {};

  private final List<String> target;
  private final Scenario.Events events;
  private McpAsyncClient client;

  private Official(List<String> target, Scenario.Events events) {
    this.target = target;
    this.events = events;
  }

  private static Map<String, Object> wire(Object result) throws Exception {
    return MAPPER.readValue(MAPPER.writeValueAsString(result), MAP);
  }

  private McpClientTransport transport() {
    if (!target.get(0).startsWith("http")) {
      List<String> words = target.subList(1, target.size());
      StdioClientTransport transport = new StdioClientTransport(
          ServerParameters.builder(target.get(0)).args(words).env(System.getenv()).build(), MAPPER);
      transport.setStdErrorHandler(line -> {});
      return transport;
    }
    URI url = URI.create(target.get(0));
    HttpRequest.Builder request = HttpRequest.newBuilder().header("Authorization", "Bearer " + System.getenv("MOTE_TOKEN"));
    return HttpClientStreamableHttpTransport.builder(url.resolve("/").toString())
        .endpoint(url.getPath()).requestBuilder(request).build();
  }

  private Mono<McpSchema.ElicitResult> elicit(String message, String url) {
    Map<String, Object> answer = events.answer(message, url);
    McpSchema.ElicitResult.Action action =
        McpSchema.ElicitResult.Action.valueOf(((String) answer.get("action")).toUpperCase());
    return Mono.just(new McpSchema.ElicitResult(action, Scenario.cast(answer.get("content"))));
  }

  private Mono<McpSchema.CreateMessageResult> sample(McpSchema.CreateMessageRequest request) {
    String texts = request.messages().stream()
        .map(message -> Scenario.printed(((McpSchema.TextContent) message.content()).text()))
        .collect(Collectors.joining(" "));
    events.add("input", "sample " + texts);
    return Mono.just(McpSchema.CreateMessageResult.builder(McpSchema.Role.ASSISTANT, "Hello.", "m").build());
  }

  @Override
  public String connect() {
    client = McpClient.async(transport())
        .clientInfo(McpSchema.Implementation.builder("mote-tests", "1").build())
        .requestTimeout(Duration.ofSeconds(15))
        .capabilities(McpSchema.ClientCapabilities.builder().roots(true).sampling().elicitation(true, true).build())
        .roots(new McpSchema.Root("file:///work", "work"))
        .elicitation(request -> elicit(request.message(), null))
        .urlElicitation(request -> elicit(request.message(), request.url()))
        .sampling(this::sample)
        .progressConsumer(one -> Mono.fromRunnable(() -> events.progress(one.progress(), one.total(), one.message())))
        .loggingConsumer(one -> Mono.fromRunnable(
            () -> events.add("logs", "log " + one.level().name().toLowerCase() + " " + one.logger() + " " + one.data())))
        .resourcesUpdateConsumer(all -> Mono.fromRunnable(
            () -> all.forEach(one -> events.add("updates", "updated " + one.uri()))))
        .toolsChangeConsumer(all -> Mono.fromRunnable(() -> events.add("changes", "changed tools")))
        .build();
    McpSchema.InitializeResult result = client.initialize().block();
    return result.serverInfo().name() + " " + result.serverInfo().version() + " " + result.protocolVersion();
  }

  @Override
  public void close() {
    client.closeGracefully().block(Duration.ofSeconds(20));
  }

  @Override
  public Map<String, Object> call(Scenario.Step step, Scenario.Events events) throws Exception {
    McpSchema.CallToolRequest.Builder request = McpSchema.CallToolRequest.builder(step.text("name"));
    request.arguments(step.map("arguments") == null ? Map.of() : step.map("arguments"));
    if (step.wantsProgress()) request.progressToken("progress");
    Mono<McpSchema.CallToolResult> call = client.callTool(request.build());
    if (step.is("cancel")) {
      Disposable running = call.subscribe(result -> {}, error -> {});
      events.awaitProgress();
      running.dispose();
      throw new CancellationException();
    }
    if (step.timeout() == 0) return wire(call.block());
    try {
      return wire(call.timeout(Duration.ofMillis(step.timeout())).block());
    } catch (RuntimeException error) {
      if (error.getCause() instanceof TimeoutException late) throw late;
      throw error;
    }
  }

  @Override
  public Map<String, Object> list(String kind, String cursor) throws Exception {
    return wire(switch (kind) {
      case "tools" -> client.listTools(cursor).block();
      case "resources" -> client.listResources(cursor).block();
      case "templates" -> client.listResourceTemplates(cursor).block();
      default -> client.listPrompts(cursor).block();
    });
  }

  @Override
  public Map<String, Object> read(String uri) throws Exception {
    return wire(client.readResource(McpSchema.ReadResourceRequest.builder(uri).build()).block());
  }

  @Override
  public Map<String, Object> prompt(String name, Map<String, Object> arguments) throws Exception {
    return wire(client.getPrompt(McpSchema.GetPromptRequest.builder(name).arguments(arguments).build()).block());
  }

  @Override
  public Map<String, Object> complete(Scenario.Step step) throws Exception {
    McpSchema.CompleteReference reference = step.text("prompt") != null
        ? new McpSchema.PromptReference(step.text("prompt"))
        : new McpSchema.ResourceReference(step.text("template"));
    McpSchema.CompleteRequest.CompleteArgument argument =
        new McpSchema.CompleteRequest.CompleteArgument(step.text("argument"), step.text("value"));
    Map<String, String> others = Scenario.cast(step.map("others"));
    McpSchema.CompleteRequest.CompleteContext context =
        others == null ? null : new McpSchema.CompleteRequest.CompleteContext(others);
    return wire(client.completeCompletion(McpSchema.CompleteRequest.builder(reference, argument).context(context).build()).block());
  }

  @Override
  public void subscribe(String uri) {
    client.subscribeResource(McpSchema.SubscribeRequest.builder(uri).build()).block();
  }

  @Override
  public void setLevel(String level) {
    client.setLoggingLevel(McpSchema.LoggingLevel.valueOf(level.toUpperCase())).block();
  }

  @Override
  public String failure(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof McpError one && one.getJsonRpcError() != null) {
        return one.getJsonRpcError().code() + " " + one.getJsonRpcError().message();
      }
    }
    return error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
  }

  public static void main(String[] arguments) throws Exception {
    Scenario.Json json = new Scenario.Json() {
      @Override
      public Map<String, Object> read(String text) throws Exception {
        return MAPPER.readValue(text, MAP);
      }

      @Override
      public String quote(String text) throws Exception {
        return MAPPER.writeValueAsString(text);
      }
    };
    Scenario.main(arguments, json, Official::new);
  }
}
