package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that {@code domains} names. */
class DomainFileTest {

  @TempDir Path folder;
  private Path file;
  private Path settings;

  @BeforeEach
  void names() throws IOException {
    file = folder.resolve("relay_domains");
    settings = folder.resolve("bloomgate.yaml");
    settings("[own.example, \"file:relay_domains\"]");
  }

  private void settings(String domains) throws IOException {
    Files.writeString(
        settings,
        "domains: "
            + domains
            + "\nstate_dir: state\ndownstream: {host: 192.0.2.25}\n"
            + "hostname: mx.own.example\n");
  }

  private SettingsResult load() {
    return SettingsFile.load(settings, Map.of());
  }

  private SettingsResult.Loaded loaded() {
    return assertInstanceOf(SettingsResult.Loaded.class, load());
  }

  private List<String> domains() {
    return loaded().settings().domains();
  }

  private DomainFile only() {
    return loaded().settings().domainSources().files().getFirst();
  }

  private List<String> warnings() {
    return loaded().warnings().stream().map(Problem::toString).toList();
  }

  /** Keeps the names that count now, as a gateway does. */
  private void keep() throws IOException {
    Files.createDirectories(folder.resolve("state"));
    Files.writeString(
        folder.resolve("state").resolve(DomainSources.KEPT),
        DomainSources.kept(loaded().settings().domainSources().files()));
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "d" + i + ".example\n")
        .collect(Collectors.joining());
  }

  @Test
  void aNameALine() throws IOException {
    Files.writeString(
        file, "# ours\n\nExample.COM\r\n.below.example # more\nb\u00fccher.example\n");
    assertEquals(
        List.of("own.example", "example.com", ".below.example", "xn--bcher-kva.example"),
        domains());
    assertEquals(List.of(), warnings());
    assertEquals(
        "4 domains: 1 of the settings, 3 of file:" + file, loaded().settings().domainsFrom());
  }

  @Test
  void aPostfixMap() throws IOException {
    Files.writeString(
        file, "a.example\tOK\nb.example   relay:[192.0.2.1]\n  more of it\n#c.example x\n");
    assertEquals(List.of("own.example", "a.example", "b.example"), domains());
    assertEquals(List.of(), warnings());
  }

  /** As Postfix matches {@code relay_domains}. */
  @Test
  void aDotInFrontTakesWhatIsBelow() throws IOException {
    settings("[\".file:" + file + "\"]");
    Files.writeString(file, "a.example\n.b.example\n");
    assertEquals(List.of(".a.example", ".b.example"), domains());
    assertTrue(OwnDomains.of(domains()).contains("x.a.example"));
  }

  @Test
  void linesThatNameNoDomainAreNamed() throws IOException {
    Files.writeString(
        file, "a.example\nno_domain\nuser@a.example x\n[192.0.2.1]\nb.example\n  c.example\n");
    assertEquals(List.of("own.example", "a.example", "b.example"), domains());
    String all = String.join("\n", warnings());
    for (String part :
        List.of(
            file + ":2:1: warning: `no_domain`",
            file + ":3:1: warning: one line names mail addresses and no domain",
            file + ":4:1: warning: `[192.0.2.1]`",
            file + ":6:1: warning: `c.example` continues the line above")) {
      assertTrue(all.contains(part), all);
    }
    assertTrue(only().problem().contains(file + ":2:1"), only().problem());
  }

  @Test
  void manyBadLinesAreCounted() throws IOException {
    Files.writeString(file, "a.example\n" + "single\n".repeat(500));
    assertEquals(11, warnings().size());
    assertTrue(warnings().getLast().contains("490 more lines"), warnings().getLast());
  }

  @Test
  void withoutAFormerVersionABrokenFileIsAnError() {
    SettingsResult.Invalid invalid = assertInstanceOf(SettingsResult.Invalid.class, load());
    assertEquals(
        settings
            + ":1:10: "
            + file
            + " cannot be read (there is no such file or folder); no former names of it are kept in"
            + " state_dir; put the file right and let the gateway's user read it, or take it out of"
            + " `domains`",
        invalid.problems().getFirst().toString());
  }

  /** A pipe of that name would be waited for. */
  @Test
  void whatIsNoFileIsNotRead() throws IOException {
    settings("[\"file:/dev/null\"]");
    assertTrue(load().toString().contains("/dev/null is no regular file"), load().toString());
  }

  @Test
  void theFormerNamesServeForAFileThatIsGoneEmptyOrHalved() throws IOException {
    Files.writeString(file, lines(0, 10));
    List<String> before = domains();
    keep();
    for (String broken : List.of("", "# nothing\n", lines(0, 4), "x".repeat(5 << 20))) {
      Files.writeString(file, broken);
      assertEquals(before, domains(), broken.substring(0, Math.min(20, broken.length())));
      assertFalse(only().held().isEmpty());
      assertTrue(warnings().getFirst().contains("the former names count"), warnings().getFirst());
    }
    assertTrue(warnings().getFirst().contains("--accept-domains"));
    Files.delete(file);
    assertEquals(before, domains());
    Files.writeString(file, lines(0, 5));
    assertEquals(6, domains().size(), "half of them is no accident");
    assertEquals(List.of(), warnings());
  }

  /** Mail for a domain whose line got a comma is still good mail. */
  @Test
  void aSlipOfThePenLosesNoFormerName() throws IOException {
    Files.writeString(file, "a.example\nb.example\nc.example\n");
    keep();
    Files.writeString(file, "a.example\nb.example,\nc.example\nd.example\n");
    assertEquals(
        List.of("own.example", "a.example", "c.example", "d.example", "b.example"), domains());
    assertEquals("lacks 1 of its former domains, and line 2 names none", only().held());
    assertTrue(warnings().getFirst().contains("the former names count"), warnings().getFirst());
    assertTrue(warnings().getLast().contains(file + ":2:1"), warnings().getLast());
    SettingsResult.Loaded accepted =
        assertInstanceOf(
            SettingsResult.Loaded.class,
            SettingsFile.load(settings, Map.of(), Surroundings.Reading.ACCEPTED));
    assertEquals(4, accepted.settings().domains().size());
    Files.writeString(file, "a.example\nc.example\nd.example\n");
    assertEquals(List.of("own.example", "a.example", "c.example", "d.example"), domains());
    assertEquals(List.of(), warnings());
  }

  @Test
  void aFileOfBadLinesAloneSaysWhy() throws IOException {
    Files.writeString(file, "/^a\\.example$/ OK\n");
    SettingsResult.Invalid invalid = assertInstanceOf(SettingsResult.Invalid.class, load());
    String said = invalid.problems().getFirst().toString();
    assertTrue(said.contains("names no domain (line 1: `/^a"), said);
  }

  @Test
  void aPersonTakesAHalvedFileAndNobodyAnEmptyOne() throws IOException {
    Files.writeString(file, lines(0, 10));
    keep();
    Files.writeString(file, lines(0, 1));
    SettingsResult.Loaded accepted =
        assertInstanceOf(
            SettingsResult.Loaded.class,
            SettingsFile.load(settings, Map.of(), Surroundings.Reading.ACCEPTED));
    assertEquals(List.of("own.example", "d0.example"), accepted.settings().domains());
    Files.writeString(file, "");
    SettingsResult.Loaded empty =
        assertInstanceOf(
            SettingsResult.Loaded.class,
            SettingsFile.load(settings, Map.of(), Surroundings.Reading.ACCEPTED));
    assertEquals(11, empty.settings().domains().size());
  }

  @Test
  void aFileHasALimit() throws IOException {
    Files.writeString(file, lines(0, DomainFile.MAX_NAMES));
    assertEquals(DomainFile.MAX_NAMES + 1, domains().size());
    keep();
    Files.writeString(file, lines(0, DomainFile.MAX_NAMES + 1));
    assertEquals("names more than 5000 domains", only().held());
    assertEquals(DomainFile.MAX_NAMES + 1, domains().size());
  }

  @Test
  void anotherFileDoesNotGetTheNamesOfThisOne() throws IOException {
    Files.writeString(file, lines(0, 10));
    keep();
    settings("[\"file:other\"]");
    Files.writeString(folder.resolve("other"), "a.example\n");
    assertEquals(List.of("a.example"), domains());
  }

  /** A start must not fail because a domain with a route or a profile left the file. */
  @Test
  void aRouteOrProfileForADomainThatLeftIsAWarning() throws IOException {
    Files.writeString(file, "a.example\n");
    Files.writeString(
        settings,
        """
        domains: ["file:relay_domains"]
        downstream: {host: 192.0.2.25, routes: {b.example: {host: 192.0.2.26}}}
        recipients: {a.example: off, sales@b.example: off}
        hostname: mx.own.example
        """);
    assertEquals(2, warnings().size(), warnings().toString());
    assertTrue(warnings().getFirst().contains("`b.example`"), warnings().toString());
    assertTrue(warnings().getLast().contains("`sales@b.example`"), warnings().toString());
  }

  /** As the settings in a backup: any domain may be in a file that is not read. */
  @Test
  void aProfileOrRouteMayBeForADomainOfAFileThatIsNotRead() {
    SettingsResult result =
        SettingsFile.parse(
            "/f.yaml",
            """
            domains: [own.example, "file:/there/x"]
            downstream: {host: mail, routes: {c.example: {host: 192.0.2.26}}}
            recipients: {sales@a.example: off, .b.example: off}
            """,
            Map.of(),
            () -> "mx.example.com");
    SettingsResult.Loaded loaded = assertInstanceOf(SettingsResult.Loaded.class, result);
    assertEquals(List.of(), loaded.warnings());
    assertEquals(2 + 2, loaded.settings().recipients().size());
    assertEquals(List.of("own.example"), loaded.settings().domains());
    assertTrue(loaded.values().toString().contains("[own.example, file:/there/x]"));
  }
}
