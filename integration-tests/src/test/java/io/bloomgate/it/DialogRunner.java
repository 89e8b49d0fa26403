package io.bloomgate.it;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.gateway.testkit.LoopbackDns;
import io.bloomgate.gateway.testkit.LoopbackDns.Mood;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.ScriptedUpstream.Delivery;
import io.bloomgate.gateway.testkit.SmtpClient;
import io.bloomgate.gateway.testkit.UpstreamConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plays one dialog file against a gateway and a scripted upstream; the language is described in
 * src/test/dialogs/README.md. A line that does not hold fails with file, line and what came.
 */
final class DialogRunner implements AutoCloseable {

  private static final Pattern ESCAPE = Pattern.compile("\\\\(x[0-9a-fA-F]{2}|.)");
  private static final Pattern WILDCARD = Pattern.compile("\\{(id|n|\\*)}");
  private static final Pattern TIMES = Pattern.compile("\\{(\\d+) ([^}]+)}");

  /**
   * What later lines may name: an id of a refusal or session, that of a mail, a printed command.
   */
  private static final Map<String, Pattern> REMEMBERED =
      Map.of(
          "incident", Pattern.compile("(?:\"id\":\"|\\[)([0-9A-HJKMNP-TV-Z]{10})[\"\\]]"),
          "mail", Pattern.compile("(?s)\\bReceived: .*? id ([0-9A-HJKMNP-TV-Z]{10})"),
          "undo", Pattern.compile("(?m)^  undo +bloomgate (.*?)(?: -c \\S+)?$"));

  private final GatewayFixture gateway;
  private final Map<String, Server> servers;
  private Server server;
  private final LoopbackDns dns;
  private final int questionsBefore;
  private final List<@Nullable SmtpClient> others = new ArrayList<>();
  private @Nullable SmtpClient client;
  private Delivery delivery = new Delivery("", List.of(), "");
  private final Map<String, String> remembered = new HashMap<>();
  private CommandLineInProcess.Result result = new CommandLineInProcess.Result(0, "", "");

  /** The last question; empty when it was a command or a mail. */
  private String asked = "";

  /** A mail server, and what it had seen before this dialog. */
  private record Server(ScriptedUpstream upstream, int connections, int deliveries) {

    private static Server of(ScriptedUpstream upstream) {
      return new Server(upstream, upstream.connections().size(), upstream.deliveredCount());
    }
  }

  DialogRunner(
      GatewayFixture gateway, ScriptedUpstream first, ScriptedUpstream other, LoopbackDns dns) {
    this.gateway = gateway;
    this.servers = Map.of("first", Server.of(first), "other", Server.of(other));
    this.server = Server.of(first);
    this.dns = dns;
    this.questionsBefore = dns.questions().size();
  }

  private ScriptedUpstream upstream() {
    return server.upstream();
  }

  /** The settings above {@code ---}: lines {@code key: value}. */
  static List<String> header(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    int end = lines.indexOf("---");
    return end < 0 ? List.of() : lines.subList(0, end);
  }

  void play(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    for (int i = lines.indexOf("---") + 1; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        step(line);
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError(
            file.getFileName() + ":" + (i + 1) + ": " + line + "\n  " + e.getMessage(), e);
      }
    }
  }

  private void step(String line) throws IOException {
    String word = line.split(" ", 2)[0];
    String rest = line.length() > word.length() ? line.substring(word.length() + 1) : "";
    String first = rest.split(" ", 2)[0];
    String second = rest.substring(Math.min(rest.length(), first.length() + 1));
    switch (word) {
      case "connect" -> open(new SmtpClient(gateway.port(rest)));
      case "also" -> {
        others.add(client);
        client = SmtpClient.proxied(gateway.port("mx"), rest);
      }
      case "client" -> open(SmtpClient.proxied(gateway.port("mx"), rest));
      case "->" -> client().raw(unescaped(filled(rest)) + "\r\n");
      case ">>" -> client().raw(unescaped(filled(rest)));
      case "<-" -> expect(rest, spoken(), true);
      case "<~" -> expect(rest, spoken(), false);
      case "<*" ->
          check(
              client().lines().stream().anyMatch(each -> pattern(rest).matcher(each).matches()),
              "reply without that line");
      case "<!" -> check(!client().lines().toString().contains(rest), "reply with that text");
      case "tls" -> client().encrypt(gateway.certificate().trusting(), "mx.example.com");
      case "closed" -> check(client().closed(), "still open");
      case "at" -> server = Objects.requireNonNull(servers.get(rest), rest);
      case "upstream" -> script(rest);
      case "always" -> upstream().always(first, connection -> connection.reply(second));
      case "saw" -> saw(rest);
      case "was" -> was(rest);
      case "connections" -> count(rest, upstream().connections().size() - server.connections());
      case "deliveries" -> count(rest, upstream().deliveredCount() - server.deliveries());
      case "delivery" -> {
        delivery = upstream().nextDelivery();
        remember("mail", delivery.content());
      }
      case "mail" -> mail(rest.split(" ", 3));
      case "$" -> command(rest, false);
      case "?" -> command(rest, true);
      case "exit" -> answer(result -> result.exitCode() == Integer.parseInt(rest));
      case "has" -> answer(result -> text(result).contains(filled(rest)));
      case "lacks" -> answer(result -> !text(result).contains(filled(rest)));
      case "ptr" -> dns.reverse(first, second);
      case "a" -> dns.forward(first, second);
      case "host" -> dns.reverse(second, first).forward(first, second);
      case "silent" -> dns.mood(rest, Mood.SILENT);
      case "dns" -> dns.mood(Mood.valueOf(rest.toUpperCase(Locale.ROOT)));
      case "asked" -> check(questions().contains(rest), questions());
      case "unasked" -> check(!questions().contains(rest), questions());
      case "write" -> gateway.write(first, filled(second).split("; "));
      case "set" -> gateway.with(rest.split(": ", 2)[0], rest.split(": ", 2)[1]).writeSettings();
      case "log" ->
          Conditions.await(rest, () -> Files.readString(gateway.logFile()).contains(filled(rest)));
      case "from" -> expect(rest, delivery.from(), true);
      case "to" -> expect(rest, String.join(" ", delivery.to()), true);
      case "field" -> check(hasField(filled(rest)), delivery.content());
      case "no-field" -> check(!hasField(rest), delivery.content());
      case "ends" ->
          check(delivery.content().endsWith(unescaped(filled(rest))), delivery.content());
      default -> throw new IllegalArgumentException("no such step");
    }
  }

  private SmtpClient client() {
    return Objects.requireNonNull(client, "no connection yet");
  }

  private void open(SmtpClient next) throws IOException {
    close();
    client = next;
  }

  /** The next line of the gateway, which may name a refusal. */
  private String spoken() throws IOException {
    String line = client().nextLine();
    remember("incident", line);
    return line;
  }

  /** {@code STEP REPLY}, with {@code drop}, {@code stall} and {@code reset} for no reply. */
  private void script(String text) {
    String[] parts = text.split(" ", 2);
    switch (parts[1]) {
      case "drop" -> upstream().on(parts[0], UpstreamConnection::drop);
      case "reset" -> upstream().on(parts[0], UpstreamConnection::reset);
      case "stall" -> upstream().on(parts[0], UpstreamConnection::stall);
      default -> upstream().on(parts[0], unescaped(parts[1]));
    }
  }

  private void saw(String verbs) {
    List<String> seen =
        upstream().connections().getLast().commands().stream()
            .map(command -> command.split(" ", 2)[0])
            .toList();
    check(String.join(" ", seen).equals(verbs), "upstream saw " + seen);
  }

  private void was(String command) {
    List<String> seen = upstream().connections().getLast().commands();
    check(seen.contains(command), "upstream saw " + seen);
  }

  private static void count(String expected, int actual) {
    check(Integer.parseInt(expected) == actual, "counted " + actual);
  }

  /** A field of the delivered header block, unfolded, that begins so. */
  private boolean hasField(String start) {
    String head = delivery.content().split("\r\n\r\n", 2)[0].replaceAll("\r\n[ \t]", " ");
    return head.lines().anyMatch(line -> pattern(start).matcher(line).lookingAt());
  }

  private static void expect(String expected, String actual, boolean whole) {
    Matcher matcher = pattern(unescaped(expected)).matcher(actual);
    check(whole ? matcher.matches() : matcher.lookingAt(), "came: " + actual);
  }

  /** {@code {id}} is an incident id, {@code {n}} a number, {@code {*}} anything. */
  private static Pattern pattern(String text) {
    StringBuilder regex = new StringBuilder();
    Matcher wildcard = WILDCARD.matcher(text);
    int from = 0;
    while (wildcard.find()) {
      regex.append(Pattern.quote(text.substring(from, wildcard.start())));
      regex.append(
          switch (wildcard.group(1)) {
            case "id" -> "[0-9A-HJKMNP-TV-Z]{10}";
            case "n" -> "[0-9]+";
            default -> ".*";
          });
      from = wildcard.end();
    }
    return Pattern.compile(regex.append(Pattern.quote(text.substring(from))).toString());
  }

  private static String unescaped(String text) {
    return ESCAPE
        .matcher(text)
        .replaceAll(escape ->
            Matcher.quoteReplacement(
                switch (escape.group(1).charAt(0)) {
                  case 'r' -> "\r";
                  case 'n' -> "\n";
                  case 't' -> "\t";
                  case '0' -> "\0";
                  case 'x' ->
                      String.valueOf((char) Integer.parseInt(escape.group(1).substring(1), 16));
                  default -> escape.group(1);
                }));
  }

  /** A mail for recipients with a comma between them: {@code CLIENT RECIPIENTS CONTENT}. */
  private void mail(String[] words) throws IOException {
    open(SmtpClient.proxied(gateway.port("mx"), words[0]));
    client().lines();
    client().command("EHLO mail.partner.example");
    client().command("MAIL FROM:<a@partner.example>");
    String reply = "";
    for (String to : words[1].split(",", -1)) {
      reply = client().command("RCPT TO:<" + to + "@example.com>");
    }
    if (reply.startsWith("250")) {
      reply = client().message(unescaped(filled(words[2])) + "\r\n");
    }
    client().command("QUIT");
    asked = "";
    result = new CommandLineInProcess.Result(Integer.parseInt(reply.substring(0, 3)), reply, "");
    remember("incident", reply);
  }

  private void command(String line, boolean isQuestion) {
    result = gateway.cli(filled(line));
    asked = isQuestion ? filled(line) : "";
    remember("incident", result.out());
    remember("undo", result.out());
  }

  /**
   * A question is asked again until its answer is the right one; what is asked of is written late.
   */
  private void answer(Predicate<CommandLineInProcess.Result> right) throws IOException {
    if (!asked.isEmpty()) {
      Conditions.await(
          asked,
          () -> {
            if (!right.test(result)) {
              result = gateway.cli(asked);
            }
            return right.test(result);
          });
      remember("incident", result.out());
      remember("undo", result.out());
    }
    check(right.test(result), text(result));
  }

  /** What this dialog had the name server asked. */
  private String questions() {
    List<String> all = dns.questions();
    return all.subList(questionsBefore, all.size()).toString();
  }

  private static String text(CommandLineInProcess.Result result) {
    return (result.exitCode() + " " + result.out() + result.err()).replaceAll("\\s+", " ");
  }

  private void remember(String name, String text) {
    Matcher found = Objects.requireNonNull(REMEMBERED.get(name)).matcher(text);
    if (found.find()) {
      remembered.put(name, found.group(1));
    }
  }

  /** With what is remembered, the folder, and {@code {600 a}} as 600 times that letter. */
  private String filled(String text) {
    String filled = text.replace("FOLDER", gateway.folder().toString());
    for (Map.Entry<String, String> one : remembered.entrySet()) {
      filled = filled.replace("{" + one.getKey() + "}", one.getValue());
    }
    return TIMES
        .matcher(filled)
        .replaceAll(times ->
            Matcher.quoteReplacement(times.group(2).repeat(Integer.parseInt(times.group(1)))));
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  @Override
  public void close() throws IOException {
    others.add(client);
    for (SmtpClient open : others) {
      if (open != null) {
        open.close();
      }
    }
    others.clear();
  }
}
