package io.bloomgate.gateway.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Every metric of the gateway; metrics.txt has name, type, unit, labels and meaning. No other is
 * registered but those of the Java runtime, which are micrometer's; config/handbook/reference.md
 * has a table made from it.
 */
enum Metric {
  BUILD_INFO,
  READY,
  LISTS_LOADED,
  CONNECTIONS,
  SESSIONS,
  VERDICTS,
  OUTCOMES,
  FEED_HITS,
  RULE_HITS,
  REJECTS,
  CHECK_FAILURES,
  ALLOW_OVERRIDES,
  DNS_ANSWERS,
  GREYLIST_VISITS,
  LIMITS,
  UNKNOWN_DOMAINS,
  DOMAINS,
  DOMAINS_FILES,
  REMOVED_FIELDS,
  LATE_TAGS,
  MESSAGE_SIZE,
  HELD_CONTENT,
  DOWNSTREAM_DURATION,
  DOWNSTREAM_UP,
  SERVER_UP,
  SERVER_CONNECTIONS,
  SERVER_MAX_CONNECTIONS,
  SERVER_FULL,
  SERVER_IDENTITY,
  SERVER_IDENTITY_LOST,
  FILTER_LOOKUPS,
  FILTER_ENTRIES,
  FILTER_SIZE,
  FILTER_RATIO,
  GENERATION,
  SELFTEST_ENTRIES,
  SELFTEST_MISSED,
  FEED_ENTRIES,
  FEED_STATE,
  FEED_AGE,
  FEED_SUCCESS,
  FEED_CHANGE,
  FEED_ATTEMPT,
  FEED_FAILURES,
  FEED_BREAKER,
  FEED_ALARM,
  ALLOW_ENTRIES,
  BLOCK_ENTRIES,
  SESSIONS_LOST,
  SESSIONS_KEPT,
  SESSIONS_FILES,
  STATE_WRITABLE,
  STATE_FREE,
  CAMPAIGNS,
  FLEET_CONNECTED,
  FLEET_LAG,
  FLEET_REPLY,
  FLEET_CLOCK,
  FLEET_WAITING,
  FLEET_LEADS,
  FLEET_SKIPPED,
  FLEET_GAPS,
  FLEET_FAULTS,
  FLEET_COUNTS_CONNECTED,
  FLEET_COUNTS,
  FLEET_COUNTS_SENT,
  FLEET_COUNTS_SKIPPED,
  RELOAD,
  RELOAD_SUCCESS,
  CERTIFICATE_EXPIRY,
  CERTIFICATE_RELOAD,
  CERTIFICATE_SELF_SIGNED,
  CERTIFICATES_EXPIRY;

  /** The type in the Prometheus text format, and what that format adds to the name. */
  enum Kind {
    COUNTER("counter", "_total"),
    GAUGE("gauge", ""),
    /** A histogram of octets; a gauge of the same name and {@code _max} is beside it. */
    SIZES("histogram", "_bytes"),
    /** The same of durations. */
    TIMES("histogram", "_seconds");

    private final String word;
    private final String suffix;

    Kind(String word, String suffix) {
      this.word = word;
      this.suffix = suffix;
    }
  }

  private final String name;
  private final Kind kind;
  private final String unit;
  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> labels;

  Metric() {
    List<String> row = Table.ROWS.get(name());
    if (row == null || row.size() != Table.COLUMNS) {
      throw new IllegalStateException(name() + " has no row in " + Table.FILE);
    }
    this.name = "bloomgate." + row.get(1);
    this.kind = Kind.valueOf(row.get(2).toUpperCase(Locale.ROOT));
    this.unit = row.get(3);
    this.labels = row.get(4).isEmpty() ? List.of() : List.of(row.get(4).split(" ", -1));
    this.meaning = row.get(5);
  }

  /** The file beside this class that has a line for each metric. */
  private static final class Table {
    private static final String FILE = "metrics.txt";
    private static final int COLUMNS = 6;
    private static final Pattern END = Pattern.compile("\\s*\\|\\s*");
    private static final Map<String, List<String>> ROWS = rows();

    private static Map<String, List<String>> rows() {
      try (InputStream in = Metric.class.getResourceAsStream(FILE)) {
        return new String(Objects.requireNonNull(in, FILE).readAllBytes(), UTF_8)
            .lines()
            .map(line -> List.of(END.split(line, -1)))
            .collect(Collectors.toMap(List::getFirst, row -> row));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** The name for micrometer, words with dots between. */
  String meter() {
    return name;
  }

  /** The name on the metrics page. */
  String exposed() {
    return name.toLowerCase(Locale.ROOT).replace('.', '_') + kind.suffix;
  }

  /** The type on the metrics page. */
  String type() {
    return kind.word;
  }

  /** The unit of a value; empty when the labels carry all. */
  String unit() {
    return unit;
  }

  /** One sentence for operators. */
  String meaning() {
    return meaning;
  }

  /** Names of the labels that each series has. */
  List<String> labels() {
    return labels;
  }

  /** The labels with {@code values} in their order, as micrometer takes them: name, value, ... */
  String[] tags(String... values) {
    if (values.length != labels.size()) {
      throw new IllegalArgumentException(name + " has the labels " + labels);
    }
    String[] tags = new String[2 * values.length];
    for (int i = 0; i < values.length; i++) {
      tags[2 * i] = labels.get(i);
      tags[2 * i + 1] = values[i];
    }
    return tags;
  }
}
