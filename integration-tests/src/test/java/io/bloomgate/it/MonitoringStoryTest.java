package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.refresh.FeedAge;
import io.bloomgate.blocklists.refresh.FeedState;
import io.bloomgate.checkout.Checkout;
import io.bloomgate.cli.CommandLineInProcess;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shipped dashboard and alerts fit a gateway that runs: every metric, label and state that they
 * name is on its page, promtool accepts them, and the commands in the alerts exist.
 */
class MonitoringStoryTest {

  private static final Path CONFIG = Checkout.root().resolve("config");
  private static final Path DASHBOARD = CONFIG.resolve("grafana/bloomgate.json");
  private static final Path ALERTS = CONFIG.resolve("prometheus/alerts.yml");
  private static final Path ALERTS_TEST = CONFIG.resolve("prometheus/alerts-test.yml");
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");
  private static final Pattern COMMAND = Pattern.compile("`bloomgate ([^`]*)`");

  @TempDir Path folder;

  // ---- names

  @Test
  void everyNameIsOnThePageOfALiveGateway() throws Exception {
    MetricsPage page = livePage();
    List<String> expressions = new ArrayList<>(alertExpressions());
    for (JsonObject target : targets()) {
      String expression = target.text("expr").orElseThrow();
      expressions.add(expression);
      Set<String> labels = page.labels(expression);
      Matcher legend = LEGEND.matcher(target.text("legendFormat").orElseThrow());
      while (legend.find()) {
        assertTrue(labels.contains(legend.group(1)), legend.group() + " beside " + expression);
      }
    }
    assertTrue(expressions.size() > 30, expressions.toString());
    for (String expression : expressions) {
      assertEquals(List.of(), page.unknown(expression), expression);
    }
    // So the test sees an error in any of these places.
    assertEquals(List.of("metric bloomgate_redy"), page.unknown("bloomgate_redy == 0"));
    assertEquals(
        List.of("label stat of bloomgate_feed_state"),
        page.unknown("bloomgate_feed_state{stat=\"held\"} == 1"));
    assertEquals(
        List.of("value hold of label state"),
        page.unknown("bloomgate_feed_state{state=~\"stale|hold\"} == 1"));
    assertEquals(
        List.of("label verdikt"),
        page.unknown("sum by (verdikt) (rate(bloomgate_verdicts_total[5m]))"));
  }

  private MetricsPage livePage() throws Exception {
    int port = FreePort.next();
    try (ScriptedUpstream upstream = ScriptedUpstream.start();
        GatewayFixture gateway =
            GatewayFixture.in(folder, upstream.port())
                .with("admin", "{http: \"127.0.0.1:" + port + "\"}")
                .start()) {
      for (String client : List.of("203.0.113.7", "192.0.2.9")) {
        try (SmtpClient sender = SmtpClient.proxied(gateway.port("mx"), client)) {
          sender.rcpt("mail.partner.example", "a@partner.example", "bob@example.com");
        }
      }
      JsonObject status = gateway.control(new ControlRequest.Status()).items().getFirst();
      try (InputStream octets =
          URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream()) {
        return new MetricsPage(
            new String(octets.readAllBytes(), StandardCharsets.UTF_8),
            Map.of(
                "verdict", status.object("verdicts_1h").orElseThrow().members().keySet(),
                "state", words(FeedState.values(), FeedState::key),
                "age", words(FeedAge.values(), FeedAge::key)));
      }
    }
  }

  private static <T> Set<String> words(T[] values, java.util.function.Function<T, String> word) {
    return Arrays.stream(values).map(word).collect(Collectors.toSet());
  }

  // ---- the dashboard

  private static JsonObject dashboard() throws IOException {
    try {
      return (JsonObject) Json.parse(Files.readString(DASHBOARD));
    } catch (JsonSyntaxException e) {
      throw new IOException(DASHBOARD.toString(), e);
    }
  }

  private static List<JsonObject> objects(JsonObject parent, String name) {
    return parent.elements(name).stream().map(JsonObject.class::cast).toList();
  }

  private static List<JsonObject> targets() throws IOException {
    return objects(dashboard(), "panels").stream()
        .flatMap(panel -> objects(panel, "targets").stream())
        .toList();
  }

  @Test
  void panelsAreCompleteAndDoNotOverlap() throws IOException {
    JsonObject dashboard = dashboard();
    assertEquals("bloomgate", dashboard.text("uid").orElseThrow());
    Set<Long> ids = new HashSet<>();
    Set<String> places = new HashSet<>();
    List<JsonObject> panels = objects(dashboard, "panels");
    for (JsonObject panel : panels) {
      String title = panel.text("title").orElseThrow();
      assertTrue(ids.add(panel.number("id").orElseThrow()), title);
      assertTrue(!panel.text("description").orElseThrow().isEmpty(), title);
      JsonObject defaults =
          panel.object("fieldConfig").orElseThrow().object("defaults").orElseThrow();
      assertTrue(defaults.text("unit").isPresent(), title);
      assertTrue(!objects(panel, "targets").isEmpty(), title);
      JsonObject place = panel.object("gridPos").orElseThrow();
      long left = place.number("x").orElseThrow();
      long top = place.number("y").orElseThrow();
      long right = left + place.number("w").orElseThrow();
      assertTrue(right <= 24, title);
      for (long x = left; x < right; x++) {
        for (long y = top; y < top + place.number("h").orElseThrow(); y++) {
          assertTrue(places.add(x + "," + y), title + " lies on another panel");
        }
      }
    }
    assertTrue(panels.size() >= 12, "panels: " + panels.size());
  }

  // ---- promtool

  @Test
  void promtoolAcceptsAlertsAndTheirTests() throws Exception {
    assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");
    assertTrue(promtool("check", "rules", ALERTS).contains("SUCCESS"), "check rules");
    assertTrue(promtool("test", "rules", ALERTS_TEST).contains("SUCCESS"), "test rules");
  }

  @Test
  void promtoolAcceptsTheExpressionsOfTheDashboard() throws Exception {
    assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");
    StringBuilder rules = new StringBuilder("groups:\n  - name: dashboard\n    rules:\n");
    int number = 0;
    for (JsonObject target : targets()) {
      String expression =
          target
              .text("expr")
              .orElseThrow()
              .replace("$__rate_interval", "5m")
              .replace("$instance", ".*")
              .replace("'", "''");
      rules.append("      - record: panel" + number++ + "\n");
      rules.append("        expr: '" + expression + "'\n");
    }
    Path file = Files.writeString(folder.resolve("dashboard.yml"), rules);
    assertTrue(promtool("check", "rules", file).contains("SUCCESS"), "check rules");
  }

  private static String promtool(String first, String second, Path file)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(PROMTOOL.toString(), first, second, file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said;
  }

  // ---- the alerts

  private static List<String> found(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(file))
        .results()
        .map(result -> result.group(1))
        .toList();
  }

  private static List<String> alertExpressions() throws IOException {
    return found(ALERTS, "^ +expr: (.*)$");
  }

  @Test
  void eachAlertFiresInOneCaseAndIsQuietInAnother() throws IOException {
    List<String> alerts = found(ALERTS, "^ +- alert: (\\w+)$");
    assertEquals(13, alerts.size());
    assertEquals(alerts.size(), alertExpressions().size());
    assertEquals(alerts, found(ALERTS_TEST, "^ +- name: (\\w+) fires$"));
    assertEquals(alerts, found(ALERTS_TEST, "^ +- name: (\\w+) is quiet$"));
  }

  @Test
  void commandsInAlertsExist() throws IOException {
    String text = Files.readString(ALERTS).replaceAll("\\{\\{[^}]*}}", "NAME").replace("\n", " ");
    Matcher command = COMMAND.matcher(text.replaceAll(" +", " "));
    List<String> seen = new ArrayList<>();
    while (command.find()) {
      seen.add(command.group(1));
      List<String> words = new ArrayList<>(List.of(command.group(1).split(" ")));
      List<String> options = words.stream().filter(word -> word.startsWith("--")).toList();
      words.removeIf(word -> word.equals("NAME") || word.startsWith("--"));
      words.add("--help");
      CommandLineInProcess.Result help = CommandLineInProcess.run(words.toArray(String[]::new));
      assertEquals(0, help.exitCode(), command.group() + ": " + help.err());
      options.forEach(
          option -> assertTrue(help.out().contains(option), option + " is not in " + help.out()));
    }
    assertTrue(seen.size() > 10, seen.toString());
  }
}
