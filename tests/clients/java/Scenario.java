// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Plays steps of tests/clients/scenario.tsv with a client in Java. */
final class Scenario {
  /** One library. Its results are maps in the form of the wire. */
  interface Client {
    /** Returns the name and the version of the server, and the protocol version. */
    String connect() throws Exception;

    void close() throws Exception;

    Map<String, Object> call(Step step, Events events) throws Exception;

    Map<String, Object> list(String kind, String cursor) throws Exception;

    Map<String, Object> read(String uri) throws Exception;

    Map<String, Object> prompt(String name, Map<String, Object> arguments) throws Exception;

    Map<String, Object> complete(Step step) throws Exception;

    void subscribe(String uri) throws Exception;

    void setLevel(String level) throws Exception;

    /** Returns the code and the text of an error. */
    String failure(Throwable error);
  }

  interface Json {
    Map<String, Object> read(String text) throws Exception;

    String quote(String text) throws Exception;
  }

  interface Opener {
    Client open(List<String> target, Events events);
  }

  private static final long LIMIT_S = 30; // of one wait for a notification
  private static final int LONG = 300; // characters of a text that is printed whole

  private final Client client;
  private final Events events = new Events();
  private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
  private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private static Json json;

  /** The parameters of a row. */
  static final class Step {
    private final Map<String, Object> parameters;

    Step(Map<String, Object> parameters) {
      this.parameters = parameters;
    }

    String text(String name) {
      return (String) parameters.get(name);
    }

    Map<String, Object> map(String name) {
      return cast(parameters.get(name));
    }

    boolean is(String name) {
      return Boolean.TRUE.equals(parameters.get(name));
    }

    /** Milliseconds, or 0. */
    long timeout() {
      return parameters.get("timeout") instanceof Number ms ? ms.longValue() : 0;
    }

    boolean wantsProgress() {
      return is("cancel") || expected("progress") > 0;
    }

    int expected(String kind) {
      Map<String, Object> expect = map("expect");
      return expect != null && expect.get(kind) instanceof Number count ? count.intValue() : 0;
    }
  }

  /** What the server sends during one step. */
  static final class Events {
    private Step step = new Step(Map.of());
    private Map<String, List<String>> lines = new HashMap<>();
    private CountDownLatch progressed = new CountDownLatch(1);

    private synchronized void begin(Step next) {
      step = next;
      lines = new HashMap<>();
      progressed = new CountDownLatch(1);
    }

    synchronized void add(String kind, String line) {
      List<String> known = lines.computeIfAbsent(kind, key -> new ArrayList<>());
      int wanted = step.expected(kind);
      if (kind.equals("input") || wanted > 0 && (!kind.equals("progress") || known.size() < wanted)) known.add(line);
      if (kind.equals("progress")) progressed.countDown();
      notifyAll();
    }

    void progress(double done, Double total, String message) {
      String text = "progress " + number(done) + "/" + (total == null ? "-" : number(total));
      add("progress", message == null ? text : text + " " + message);
    }

    /** Returns when a progress notification has come. */
    void awaitProgress() throws InterruptedException {
      CountDownLatch latch;
      synchronized (this) {
        latch = progressed;
      }
      if (!latch.await(LIMIT_S, TimeUnit.SECONDS)) throw new IllegalStateException("no progress within 30 s");
    }

    /** What the user does with an elicitation: the members action and content. */
    synchronized Map<String, Object> answer(String message, String url) {
      add("input", "elicit " + message + (url == null ? "" : " " + url));
      Map<String, Object> answer = step.map("answer");
      return answer == null ? Map.of("action", "cancel") : answer;
    }

    private synchronized void complete() throws InterruptedException {
      for (String kind : List.of("progress", "logs", "updates", "changes")) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
        List<String> known = lines.computeIfAbsent(kind, key -> new ArrayList<>());
        while (known.size() < step.expected(kind)) {
          long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
          if (left <= 0) {
            known.add("no more " + kind + " within " + LIMIT_S + "s");
            break;
          }
          wait(left);
        }
      }
    }

    private synchronized List<String> parts() {
      List<String> parts = new ArrayList<>();
      for (String kind : List.of("progress", "input", "logs", "updates", "changes")) {
        List<String> known = lines.getOrDefault(kind, List.of());
        // Notifications of two targets have no order.
        parts.addAll(kind.equals("updates") ? known.stream().sorted().toList() : known);
      }
      return parts;
    }
  }

  private Scenario(Opener opener, List<String> target) {
    client = opener.open(target, events);
  }

  @SuppressWarnings("unchecked")
  static <T> T cast(Object value) {
    return (T) value;
  }

  static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  static String printed(String text) {
    int count = text.codePointCount(0, text.length());
    if (count > LONG) return count + " characters";
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t");
  }

  private static String compact(Object value) throws Exception {
    StringBuilder out = new StringBuilder();
    if (value instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> one : new TreeMap<>(map).entrySet()) {
        out.append(out.isEmpty() ? "{" : ",").append(json.quote((String) one.getKey())).append(':');
        out.append(compact(one.getValue()));
      }
      return out.isEmpty() ? "{}" : out.append('}').toString();
    }
    if (value instanceof Collection<?> list) {
      for (Object one : list) out.append(out.isEmpty() ? "[" : ",").append(compact(one));
      return out.isEmpty() ? "[]" : out.append(']').toString();
    }
    if (value instanceof String text) return json.quote(text);
    return value instanceof Number count ? number(count.doubleValue()) : String.valueOf(value);
  }

  private static String size(Object data) {
    return Base64.getDecoder().decode((String) data).length + " bytes";
  }

  private static String body(Map<String, Object> contents) {
    return contents.get("text") instanceof String text ? printed(text) : size(contents.get("blob"));
  }

  private static String block(Map<String, Object> item) {
    String type = (String) item.get("type");
    Map<String, Object> resource = cast(item.get("resource"));
    return switch (type) {
      case "text" -> "text " + printed((String) item.get("text"));
      case "image", "audio" -> type + " " + item.get("mimeType") + " " + size(item.get("data"));
      case "resource" -> "resource " + resource.get("uri") + " " + body(resource);
      default -> "link " + item.get("uri");
    };
  }

  private static List<Map<String, Object>> rows(Map<String, Object> result, String key) {
    List<Map<String, Object>> rows = cast(result.get(key));
    return rows == null ? List.of() : rows;
  }

  private List<String> call(Step step) throws Exception {
    Map<String, Object> result = client.call(step, events);
    List<String> parts = new ArrayList<>();
    parts.add(Boolean.TRUE.equals(result.get("isError")) ? "failed" : "ok");
    for (Map<String, Object> item : rows(result, "content")) parts.add(block(item));
    if (result.get("structuredContent") != null) parts.add("structured " + compact(result.get("structuredContent")));
    return parts;
  }

  private List<String> list(String kind) throws Exception {
    List<Map<String, Object>> all = new ArrayList<>();
    String cursor = null;
    do {
      Map<String, Object> page = client.list(kind, cursor);
      all.addAll(rows(page, kind.equals("templates") ? "resourceTemplates" : kind));
      cursor = (String) page.get("nextCursor");
    } while (cursor != null);
    if (all.isEmpty()) return List.of("0 " + kind);
    String last = (String) all.get(all.size() - 1).get("name");
    return List.of(all.size() + " " + kind + " from " + all.get(0).get("name") + " to " + last);
  }

  private List<String> print(Map<String, Object> result) {
    List<String> parts = new ArrayList<>(List.of("ok"));
    for (Map<String, Object> one : rows(result, "contents")) {
      parts.add(one.get("uri") + " " + one.getOrDefault("mimeType", "-") + " " + body(one));
    }
    for (Map<String, Object> one : rows(result, "messages")) parts.add(one.get("role") + " " + block(cast(one.get("content"))));
    Map<String, Object> completion = cast(result.get("completion"));
    if (completion != null) parts.addAll(cast(completion.get("values")));
    return parts;
  }

  private List<String> play(String operation, Step step) throws Exception {
    switch (operation) {
      case "connect":
        return List.of(client.connect());
      case "reconnect":
        try {
          client.close();
        } catch (Exception error) {
          // The server may be gone.
        }
        client.connect();
        break;
      case "restart":
        // The caller of this program restarts the server, then it writes a line.
        output.println("restart");
        input.readLine();
        break;
      case "end":
        client.close();
        break;
      case "call":
        return call(step);
      case "list":
        return list(step.text("list"));
      case "read":
        return print(client.read(step.text("uri")));
      case "prompt":
        return print(client.prompt(step.text("name"), step.map("arguments")));
      case "complete":
        return print(client.complete(step));
      case "subscribe":
        for (String uri : Scenario.<List<String>>cast(step.parameters.get("uris"))) client.subscribe(uri);
        break;
      case "log":
        client.setLevel(step.text("level"));
        break;
      default:
        throw new IllegalArgumentException(operation);
    }
    return List.of("ok");
  }

  private void row(String name, String operation, String parameters) throws Exception {
    Step step = new Step(json.read(parameters));
    events.begin(step);
    List<String> parts;
    try {
      parts = play(operation, step);
      events.complete();
    } catch (CancellationException error) {
      parts = List.of("cancelled");
    } catch (TimeoutException error) {
      parts = List.of("timeout");
    } catch (Exception error) {
      parts = List.of("error " + printed(client.failure(error)));
    }
    List<String> all = new ArrayList<>(events.parts());
    all.addAll(parts);
    output.println(name + "\t" + String.join(" | ", all));
  }

  /** Plays the steps of the command line: STEPS ERA URL|COMMAND [ARGUMENT...]. */
  static void main(String[] arguments, Json reader, Opener opener) throws Exception {
    json = reader;
    List<String> target = List.of(arguments).subList(2, arguments.length);
    Scenario scenario = new Scenario(opener, target);
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] cells = line.split("\t");
      scenario.row(cells[0], cells[1], cells[2]);
    }
    System.exit(0);
  }
}
