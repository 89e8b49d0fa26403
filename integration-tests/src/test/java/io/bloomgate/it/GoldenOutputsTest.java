package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * What users and scripts see, byte for byte: transcripts in {@code src/test/golden}, played in the
 * order of their names against one gateway. A line {@code #:} is a comment, {@code $ bloomgate ...}
 * runs that command, {@code > mail CLIENT HELO FROM TO} sends a mail and shows the replies, {@code
 * > log N} waits for N new lines of the mail log, {@code > socket REQUEST} shows the answer of the
 * control socket as it is on the wire, and {@code > metrics} the names and types of the metrics.
 * Everything else is what must come. Times, ids, ports, digests and the width of columns are
 * replaced.
 *
 * <p>{@code -Dgolden.write=true} writes the transcripts again; look at the difference.
 */
class GoldenOutputsTest {

  private static final Path GOLDEN = Path.of("src/test/golden");

  private static final boolean WRITE = Boolean.getBoolean("golden.write");

  /** What differs from run to run, most specific first. */
  private static final Map<Pattern, String> VARIABLE = variable();

  private static final int WIDTH = 100;

  /** Commands that change nothing, and those that are mistyped. */
  private static final Pattern ASKS =
      Pattern.compile(
          "^(status|health|explain|sessions|top|stats|report|traps|doctor|impact|audit|fleet status"
              + "|config (validate|diff)|filter (inspect|verify|estimate|diff|compare|size|query)"
              + "|feeds (list|show|formats|catalogue|diff|overlap|score|test)"
              + "|(allow|block|recipient) (list|check)|mode$|version)");

  /** Forms that are for scripts or a file. */
  private static final Pattern OTHER_FORM =
      Pattern.compile(" (-o|--output|--fields|-ojson|--html)\\b|report (spam|good)");

  private static final String MORE_COMMANDS =
      """
      stauts
      nonsense
      feeds lsit
      feeds nonsense
      status -v
      doctor
      report
      report --since 7d
      impact
      fleet status
      audit
      feeds score
      feeds overlap
      feeds catalogue
      feeds catalogue spamhaus-drop
      feeds show nosuch
      feeds test file:/etc/hosts
      feeds promote drop
      sessions list
      stats --by hour
      top --by client
      top --by spared
      traps suggest
      config diff
      config validate
      config validate /nosuch
      filter size --entries 1000000 --fpp 0.01
      mode
      explain
      allow add 10.0.0.0/8
      """;

  @TempDir Path folder;

  private final int httpPort = FreePort.next();
  private int logRead;

  private static Map<Pattern, String> variable() {
    Map<Pattern, String> all = new LinkedHashMap<>();
    all.put(Pattern.compile("(self test +|\"self_test\":\\{)[^\\n}]*"), "$1TESTED");
    all.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?Z"), "TIME");
    all.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d(:\\d\\d)?"), "TIME");
    all.put(Pattern.compile("\\d{4}-\\d\\d-\\d\\d"), "DATE");
    all.put(Pattern.compile("(?m)^[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d"), "TIME");
    // An entry that lifted something is noted within a second.
    all.put(Pattern.compile("\"used\":(null|\"[^\"]*\")"), "\"used\":WHEN");
    all.put(Pattern.compile("\\b[0-9a-f]{64}\\b"), "SHA256");
    all.put(Pattern.compile("sha256 [0-9a-f]{12}"), "sha256 DIGEST");
    all.put(Pattern.compile("127\\.0\\.0\\.1:\\d+"), "127.0.0.1:PORT");
    all.put(Pattern.compile("\\b(vector-\\d+|scalar)\\b"), "LOOKUP");
    all.put(Pattern.compile("\\b(development|\\d+\\.\\d+\\.\\d+-SNAPSHOT)\\b"), "VERSION");
    all.put(Pattern.compile("\\(Java [^)]*\\)"), "(JAVA)");
    all.put(Pattern.compile("smtpd\\[\\d+]"), "smtpd[PID]");
    all.put(Pattern.compile("\\[[0-9A-HJKMNP-TV-Z]{10}]"), "[ID]");
    all.put(Pattern.compile("\\bid=[0-9A-HJKMNP-TV-Z]{10}\\b"), "id=ID");
    all.put(Pattern.compile("\\b(uptime_s\":|ms=|up )\\d+\\b"), "$1N");
    all.put(Pattern.compile("\\b((?:expected_fpp|fill)\"?:? ?)[0-9.E-]+"), "$1R");
    all.put(Pattern.compile("(seed id +|\"seed_id\":\")[0-9a-f]{8}"), "$1SEED");
    all.put(Pattern.compile("(port: |port\",\"value\":\")\\d+"), "$1PORT");
    all.put(Pattern.compile("\\bin \\d+ (?=s|min|h|d)"), "in N ");
    all.put(Pattern.compile("\\b\\d+ s ago"), "N s ago");
    all.put(Pattern.compile("(?<=\\S) {2,}"), "  ");
    return all;
  }

  @TestFactory
  Stream<DynamicTest> whatUsersSeeIsAsItWas() throws IOException {
    ScriptedUpstream upstream = ScriptedUpstream.start();
    GatewayFixture gateway =
        GatewayFixture.in(folder, upstream.port())
            .with("admin", "{http: \"127.0.0.1:" + httpPort + "\"}")
            .with("traps", "{addresses: [old@example.com], drop: true}")
            .start();
    gateway.write(
        "spam.eml",
        "From: winner@spam.example",
        "Subject: You have won a lot of money",
        "",
        "http://prize.example/now");
    return Stream.concat(
            transcripts().stream()
                .map(file ->
                    DynamicTest.dynamicTest(
                        file.getFileName().toString(), () -> play(gateway, file))),
            Stream.of(DynamicTest.dynamicTest("fits the terminal", () -> fits(gateway))))
        .onClose(() -> {
          gateway.close();
          upstream.close();
        });
  }

  private void play(GatewayFixture gateway, Path file) throws IOException {
    StringBuilder played = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#: ") || line.startsWith("$ ") || line.startsWith("> ")) {
        played.append(line).append('\n').append(answer(gateway, line));
      }
    }
    if (WRITE) {
      Files.writeString(file, played);
    }
    assertEquals(Files.readString(file), played.toString());
  }

  private String answer(GatewayFixture gateway, String line) throws IOException {
    String[] words = line.split(" ");
    return switch (words[0] + " " + words[1]) {
      case "$ bloomgate" -> command(gateway, List.of(words).subList(2, words.length));
      case "> mail" -> fixed(mail(gateway, words));
      case "> log" -> fixed(log(gateway, Integer.parseInt(words[2])));
      case "> socket" -> fixed(socket(line.substring("> socket ".length())));
      case "> metrics" -> metrics();
      default -> "";
    };
  }

  /** Every answer for a person fits a terminal of 100 columns, but for paths and web addresses. */
  private void fits(GatewayFixture gateway) throws IOException {
    Set<String> commands = new LinkedHashSet<>(MORE_COMMANDS.lines().toList());
    for (Path file : transcripts()) {
      Files.readAllLines(file).stream()
          .filter(line -> line.startsWith("$ bloomgate "))
          .map(line -> line.substring("$ bloomgate ".length()))
          .filter(line -> ASKS.matcher(line).find() && !OTHER_FORM.matcher(line).find())
          .forEach(commands::add);
    }
    List<String> wide = new ArrayList<>();
    for (String command : commands) {
      List<String> words = new ArrayList<>(List.of("-c", gateway.settingsFile().toString()));
      words.addAll(List.of(command.replace("FOLDER", folder.toString()).split(" ")));
      CommandLineInProcess.Result result =
          CommandLineInProcess.run(Map.of("COLUMNS", ""), words.toArray(String[]::new));
      (result.out() + result.err())
          .replace(folder.toString(), "FOLDER")
          .replaceAll("https?://[^ ]+", "URL")
          .lines()
          .filter(line -> line.length() > WIDTH)
          .forEach(line -> wide.add(command + ": " + line));
    }
    assertEquals("", String.join("\n", wide));
  }

  private static List<Path> transcripts() throws IOException {
    try (Stream<Path> files = Files.list(GOLDEN)) {
      return files.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
    }
  }

  private String command(GatewayFixture gateway, List<String> words) {
    List<String> all = new ArrayList<>(List.of("-c", gateway.settingsFile().toString()));
    words.forEach(word -> all.add(word.replace("FOLDER", folder.toString())));
    CommandLineInProcess.Result result = CommandLineInProcess.run(all.toArray(String[]::new));
    String errors = result.err().isEmpty() ? "" : result.err().replaceAll("(?m)^(?=.)", "! ");
    String exit = result.exitCode() == 0 ? "" : "[exit " + result.exitCode() + "]\n";
    return fixed(result.out() + errors) + exit;
  }

  /** The log is written beside the sessions. */
  private String log(GatewayFixture gateway, int lines) throws IOException {
    Conditions.await(
        lines + " new lines of the log",
        () -> Files.readString(gateway.logFile()).substring(logRead).lines().count() >= lines);
    String all = Files.readString(gateway.logFile());
    String fresh = all.substring(logRead);
    logRead = all.length();
    return fresh;
  }

  private String socket(String request) throws IOException {
    Path socket = folder.resolve("state/control.sock");
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      channel.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
      channel.shutdownOutput();
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String metrics() throws IOException {
    URI page = URI.create("http://127.0.0.1:" + httpPort + "/metrics");
    try (InputStream octets = page.toURL().openStream()) {
      return new String(octets.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("# TYPE bloomgate"))
          .map(line -> line.substring("# TYPE ".length()) + "\n")
          .sorted()
          .collect(Collectors.joining());
    }
  }

  /** Words: {@code > mail CLIENT HELO FROM TO}. */
  private static String mail(GatewayFixture gateway, String[] words) throws IOException {
    StringBuilder replies = new StringBuilder();
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), words[2])) {
      replies.append(client.lines()).append('\n');
      client.command("EHLO " + words[3]);
      replies.append(client.command("MAIL FROM:<" + words[4] + ">")).append('\n');
      String taken = "";
      for (String to : words[5].split(",", -1)) {
        taken = client.command("RCPT TO:<" + to + ">");
        replies.append(taken).append('\n');
      }
      if (taken.startsWith("2")) {
        replies.append(client.command("DATA")).append('\n');
        client.raw("Subject: golden\r\n\r\nbody\r\n.\r\n".getBytes(StandardCharsets.UTF_8));
        replies.append(client.lines()).append('\n');
      }
      client.command("QUIT");
    }
    return replies.toString();
  }

  private String fixed(String text) {
    String result = text.replace(folder.toString(), "FOLDER");
    for (Map.Entry<Pattern, String> one : VARIABLE.entrySet()) {
      result = one.getKey().matcher(result).replaceAll(one.getValue());
    }
    return result;
  }
}
