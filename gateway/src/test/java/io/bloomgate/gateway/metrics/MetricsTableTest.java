package io.bloomgate.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomgate.blocklists.generation.FilterCounters;
import io.bloomgate.gateway.log.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of metrics in the handbook is what the code says: the rows of {@link Metric}, and what
 * the Java runtime shows on the page beside them. {@code -Dmetrics.write=true} writes it.
 */
final class MetricsTableTest {

  private static final Path PAGE = Path.of("../config/handbook/reference.md");
  private static final String BEGIN = "<!-- metrics: begin -->\n";
  private static final String END = "<!-- metrics: end -->\n";
  private static final Pattern LABEL = Pattern.compile("[{,]([a-z_]+)=\"");

  /** One family of the page. */
  private record Family(String type, String help, Set<String> labels) {}

  @TempDir private Path folder;

  private final GatewayMetrics metrics =
      new GatewayMetrics("0.1.0", new FilterCounters(), GatewayMetricsTest::figures);

  /** The families of the page by name; {@code le} belongs to the format, not to the metric. */
  private static Map<String, Family> families(String page) {
    Map<String, Family> families = new TreeMap<>();
    String help = "";
    Set<String> labels = new TreeSet<>();
    for (String line : page.lines().toList()) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        help = words[3];
      } else if (line.startsWith("# TYPE ")) {
        labels = new TreeSet<>();
        families.put(words[2], new Family(words[3], help, labels));
      } else {
        Matcher label = LABEL.matcher(line);
        while (label.find()) {
          labels.add(label.group(1));
        }
        labels.remove("le");
      }
    }
    return families;
  }

  private static String row(String name, String type, String unit, String labels, String meaning) {
    return "| `" + name + "` | " + type + " | " + unit + " | " + labels + " | " + meaning + " |\n";
  }

  private String table() {
    StringBuilder table =
        new StringBuilder("| name | type | unit | labels | meaning |\n|---|---|---|---|---|\n");
    for (Metric metric : Metric.all()) {
      table.append(
          row(
              metric.exposed(),
              metric.type(),
              metric.unit(),
              String.join(", ", metric.labels()),
              metric.meaning()));
    }
    families(metrics.scrape())
        .forEach((name, family) -> {
          if (!isOurs(name)) {
            String labels = String.join(", ", family.labels());
            table.append(row(name, family.type(), unit(name), labels, family.help()));
          }
        });
    return table.toString();
  }

  private static boolean isOurs(String name) {
    return name.startsWith("bloomgate_");
  }

  /** Names of the Java runtime's metrics end in their unit. */
  private static String unit(String name) {
    String base = name.replaceFirst("_(total|max)$", "");
    String last = base.substring(base.lastIndexOf('_') + 1);
    return Set.of("seconds", "bytes").contains(last) ? last : "";
  }

  @Test
  void theTableIsWhatTheCodeSays() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    assertTrue(begin > 0 && end > begin, "the marks of the table are gone from " + PAGE);
    if (Boolean.getBoolean("metrics.write")) {
      page = page.substring(0, begin) + BEGIN + "\n" + table() + "\n" + page.substring(end);
      Files.writeString(PAGE, page);
      return;
    }
    assertEquals(
        "\n" + table() + "\n",
        page.substring(begin + BEGIN.length(), end),
        "run this test with -Dmetrics.write=true");
  }

  @Test
  void eachMetricOfThePageIsDefinedWithItsTypeMeaningAndLabels() {
    metrics.dnsListAnswered("zen", "listed");
    Map<String, Metric> defined =
        Metric.all().stream().collect(Collectors.toMap(Metric::exposed, m -> m));
    Map<String, String> expected = new LinkedHashMap<>();
    Map<String, String> shown = new LinkedHashMap<>();
    families(metrics.scrape())
        .forEach((name, family) -> {
          Metric metric = defined.get(name.replaceFirst("_max$", ""));
          if (isOurs(name)) {
            shown.put(name, family.type() + family.labels() + family.help());
            expected.put(
                name,
                metric == null
                    ? "not in Metric"
                    : (name.equals(metric.exposed()) ? metric.type() : "gauge")
                        + new TreeSet<>(metric.labels())
                        + metric.meaning());
          }
        });
    assertEquals(expected, shown);
    assertTrue(expected.size() > 40, expected.toString());
  }

  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  @Test
  void findsNothingToComplainOf() throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(PROMTOOL), "promtool is not installed");
    metrics.sessionOpened();
    metrics.downstream("accepted", Duration.ofMillis(3));
    for (Limit limit : Limit.values()) {
      metrics.limitReached(limit);
    }
    Path scraped = Files.writeString(folder.resolve("metrics"), metrics.scrape());
    Process process =
        new ProcessBuilder(PROMTOOL.toString(), "check", "metrics")
            .redirectInput(scraped.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals("0: ", process.waitFor() + ": " + said);
  }
}
