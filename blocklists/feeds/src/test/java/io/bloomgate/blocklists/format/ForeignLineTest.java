package io.bloomgate.blocklists.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * One line of another format among sixty: it never decides how the others are read, and it is an
 * entry, an exception or a bad line with its number, never nothing.
 */
class ForeignLineTest {

  private static final int LINES = 60;

  /** Lines of each format that is read line by line; the header that it must have is first. */
  private static final Map<String, Sample> FORMATS = new LinkedHashMap<>();

  /**
   * A format's own lines.
   *
   * @param header lines that give no entry, each with its end
   * @param foreign what one of its lines looks like in another list
   */
  private record Sample(String header, IntFunction<String> line, List<String> foreign) {}

  private static void add(String format, IntFunction<String> line, String... foreign) {
    FORMATS.put(format, new Sample("", line, List.of(foreign)));
  }

  private static void add(
      String format, String header, IntFunction<String> line, String... foreign) {
    FORMATS.put(format, new Sample(header, line, List.of(foreign)));
  }

  static {
    add("ips", i -> "91.1.7." + i, "91.2.7.9", "91.2.7.0/24");
    add("domains", i -> "n" + i + ".sample-list.com", "foreign.sample-name.com");
    add("lines", i -> "m" + i + "@sample-list.com", "who@sample-name.com", "@sample-name.com");
    add(
        "hosts",
        "127.0.0.1 localhost\n::1 localhost\n",
        i -> "0.0.0.0 n" + i + ".sample-list.com",
        "0.0.0.0 foreign.sample-name.com",
        "91.2.7.9 foreign.sample-name.com");
    add("spamhaus-json", i -> "{\"cidr\":\"91.1." + i + ".0/24\"}", "{\"cidr\":\"91.2.7.0/24\"}");
    add("asn-table", i -> "91.1." + i + ".0/24,64500,FR", "91.2.7.0/24,AS64501,IT");
    add("asn-list", i -> "AS" + (64500 + i), "{\"asn\": 64700}");
    add(
        "ndjson:v",
        i -> "{\"t\":\"ip\",\"v\":\"91.1.7." + i + "\"}",
        "{\"w\": \"x\", \"u\": \"91.2.7.9\"}");
    add("postfix-cidr", i -> "91.1." + i + ".0/24 REJECT", "91.2.7.0/24 REJECT spam");
    add(
        "postfix-access",
        i -> "n" + i + ".sample-list.com REJECT",
        "sample-name.com 554 no",
        "sample-name.com OK");
    add(
        "adblock",
        i -> "||n" + i + ".sample-list.com^",
        "||sample-name.com^",
        "@@||sample-name.com^",
        "||sample-name.com^$badfilter");
    add(
        "dnsmasq",
        i -> "address=/n" + i + ".sample-list.com/0.0.0.0",
        "address=/sample-name.com/0.0.0.0",
        "server=/sample-name.com/91.2.7.9");
    add(
        "unbound",
        i -> "local-zone: \"n" + i + ".sample-list.com\" always_null",
        "local-zone: \"sample-name.com\" always_null",
        "local-data: \"sample-name.com A 0.0.0.0\"");
    add("wildcard", i -> "*.n" + i + ".sample-list.com", "*.sample-name.com");
    add("urls", i -> "https://n" + i + ".sample-list.com/x", "https://sample-name.com/x?y=z");
    add("sha256", i -> "%064x".formatted(0x5eed0000L + i), "ab".repeat(32));
    add(
        "rpz",
        "$TTL 60\n@ SOA a. b. 1 2 3 4 5\n",
        i -> "n" + i + ".sample-list.com CNAME .",
        "sample-name.com CNAME .",
        "sample-name.com CNAME walled.sample-name.com.");
    add(
        "rbldnsd",
        "$SOA 3600 a. b. 1 2 3 4 5\n",
        i -> "91.1.7." + i + " :2:text",
        "91.2.7.9 :2:text",
        "!91.2.7.9");
    add("range-csv", i -> "91.1." + i + ".0,91.1." + i + ".9,x", "91.2.7.0,91.2.7.9,x");
    add(
        "ipset-save",
        "create x hash:net\n",
        i -> "add x 91.1." + i + ".0/24",
        "add x 91.2.7.0/24",
        "add x 91.2.7.9,tcp:25");
    add(
        "zeek-intel",
        "#fields\tindicator\tindicator_type\n",
        i -> "91.1.7." + i + "\tIntel::ADDR",
        "91.2.7.9\tIntel::ADDR",
        "sample-name.com\tIntel::DOMAIN");
    add("csv:ip", "n,ip,seen\n", i -> i + ",91.1.7." + i + ",2026-02-01", "7,91.2.7.9,2026-02-01");
    add("csv:1", i -> "91.1.7." + i + "," + (i % 3 + 1) + ",2026-02-01", "91.2.7.9,1,2026-02-01");
  }

  /** Lines of no list. */
  private static final List<String> NO_LIST =
      List.of("Error 503 backend unavailable", "<p>moved</p>", "[\"sample-name.com\"]");

  /** Formats that read each line of the named ones as these do, and more. */
  private static final Map<String, String> WIDER =
      Map.of("ips", "lines", "domains", "lines", "postfix-cidr", "postfix-access");

  private static final Set<String> COMMENTS = Set.of("#", ";", "!");

  @TestFactory
  Stream<DynamicTest> oneForeignLine() {
    return FORMATS.entrySet().stream()
        .flatMap(format ->
            foreign(format.getKey())
                .map(line ->
                    DynamicTest.dynamicTest(
                        format.getKey() + " with " + line,
                        () -> everywhere(format.getKey(), format.getValue(), line))));
  }

  private static Stream<String> foreign(String format) {
    return Stream.concat(
        FORMATS.entrySet().stream()
            .filter(other -> !other.getKey().equals(format))
            .flatMap(other -> other.getValue().foreign.stream()),
        NO_LIST.stream());
  }

  private static void everywhere(String format, Sample sample, String foreign) throws IOException {
    int clean = entries(Reading.of(format, text(sample, -1, foreign)));
    assertTrue(clean >= LINES, "the clean list has " + clean);
    assertEquals(format, detected(text(sample, -1, foreign)), "the clean list");
    for (int at : new int[] {0, LINES / 2, LINES}) {
      String text = text(sample, at, foreign);
      check(text, foreign, clean, Reading.of(format, text));
      String found = detected(text);
      assertTrue(
          found.equals(format) || found.equals(WIDER.get(format)),
          () -> "detected " + found + " in\n" + text);
      check(text, foreign, clean, Reading.of(found, text));
    }
  }

  /** The list with a foreign line before the line of that number, or without one. */
  private static String text(Sample sample, int at, String foreign) {
    List<String> lines = new ArrayList<>();
    IntStream.rangeClosed(0, LINES)
        .forEach(i -> {
          if (i == at) {
            lines.add(foreign);
          }
          if (i < LINES) {
            lines.add(sample.line.apply(i + 1));
          }
        });
    String body = String.join("\n", lines) + "\n";
    return at == 0
            && sample.header.indexOf('\n') == sample.header.length() - 1
            && !sample.header.isEmpty()
        ? foreign + "\n" + sample.header + body.substring(foreign.length() + 1)
        : sample.header + body;
  }

  private static void check(String text, String foreign, int clean, Reading read) {
    assertEquals(Optional.empty(), read.totals.damage(), () -> text);
    assertTrue(entries(read) >= clean, () -> entries(read) + " entries of\n" + text);
    int line = text.substring(0, text.indexOf(foreign + "\n")).split("\n", -1).length;
    boolean comment = COMMENTS.contains(foreign.substring(0, 1));
    boolean named =
        Stream.concat(
                read.entries.stream().map(e -> e.substring(e.lastIndexOf(':') + 1)),
                read.problems.stream().map(p -> p.substring(0, p.indexOf(':'))))
            .anyMatch(Integer.toString(line)::equals);
    assertTrue(comment || named, () -> "nothing says what line " + line + " is: " + foreign);
  }

  private static int entries(Reading read) {
    return (int) read.entries.stream().filter(e -> !e.startsWith("!")).distinct().count();
  }

  private static String detected(String text) throws IOException {
    return FormatDetector.detect(new ByteArrayInputStream(text.getBytes(UTF_8))).name();
  }

  @Test
  void aNumberIsAPositionWhateverTheCellsHold() {
    String table = "91.1.7.1,1,x\n91.1.7.2,2,x\n91.1.7.3,1,x\n";
    assertEquals(3, Reading.of("csv:1", table).entries.size());
    assertEquals(3, Reading.of("csv:1", "ip,n,x\n" + table).entries.size());
    assertEquals(List.of(), Reading.of("csv:1", "ip,n,x\n" + table).problems, "the header");
    assertEquals(3, Reading.of("csv:1", "a;b\n" + table).entries.size(), "commas are the rule");
  }

  /** ThreatFox and others have a port behind each host, PeerGuardian a name before each range. */
  @Test
  void hostsWithAPortAndRangesWithANameAreFound() throws IOException {
    StringBuilder ports = new StringBuilder("[2001:db8::1]:8443\nc2.example:65535\n");
    StringBuilder guardian = new StringBuilder("# PeerGuardian\n");
    StringBuilder table = new StringBuilder("id;seen;url;tags\n");
    StringBuilder iocs = new StringBuilder("# seen,ioc\n");
    for (int i = 1; i <= 60; i++) {
      ports.append("192.0.2.").append(i).append(":433\n");
      guardian
          .append("Sample, Inc: no. ")
          .append(i)
          .append(":198.51.100." + i + "-198.51.100." + i);
      guardian.append('\n');
      table.append(i).append(";2026-11-28;https://h" + i + ".example/x;a,b\n");
      iocs.append("\"2026\", \"192.0.2.").append(i).append(":4444\"\n");
    }
    assertFound("lines", 62, ports.toString());
    assertFound("ips", 60, guardian.toString());
    assertFound("urls", 60, table.toString());
    assertFound("csv:ioc", 60, iocs.toString());
    assertEquals(
        List.of("1:a host with a port, which format lines reads"),
        Reading.of("ips", "192.0.2.1:433\n").problems);
    assertEquals(
        List.of("2:a URL, which format urls reads"),
        Reading.of("csv:u", "n,u\n1,https://a.example/x\n").problems);
    assertEquals(3, Reading.of("lines", "a.example:0123456\nx:192.0.2.1\n:25\n").problems.size());
  }

  private static void assertFound(String format, int entries, String text) throws IOException {
    assertEquals(format, detected(text));
    Reading read = Reading.of(format, text);
    assertEquals(List.of(), read.problems);
    assertEquals(entries, read.entries.size());
  }
}
