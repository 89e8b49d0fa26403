package io.bloomgate.config.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.catalogue.CatalogueEntry.Risk;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.DnsList;
import io.bloomgate.config.settings.EntryKind;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Publishers;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.SettingsResult;
import io.bloomgate.config.settings.yaml.Problem;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The catalogue that ships, and what happens to one with mistakes. */
class CatalogueTest {

  private static final String HEAD =
      "domains: [example.com]\ndownstream: {host: 192.0.2.25}\nfeeds:\n  sources:\n";

  private static final String PUBLISHER =
      """
      publishers:
        them:
          name: Them
          hosts: [lists.example.org]
          min_interval: 2h
          gap: 5s
          says: every two hours
      feeds:
      """;

  private static final String FEED =
      """
        some:
          title: Some list
          purpose: a test
          lists: [ips]
          url: https://lists.example.org/some.txt
          format: ips
          checks: [client_ip]
          every: 2h
          action: reject
          licence: CC0
          risk: low
          because: it is empty
      """;

  static List<CatalogueEntry> feeds() {
    return Catalogue.builtIn().feeds();
  }

  @Test
  void whatIsCopiedFromItIsWhatItSays() {
    String all = entries().stream().map(CatalogueEntry::yaml).collect(Collectors.joining());
    SettingsResult result =
        SettingsFile.parse("bloomgate.yaml", HEAD + all, Map.of(), () -> "mx.example.com");
    SettingsResult.Loaded loaded =
        assertInstanceOf(SettingsResult.Loaded.class, result, result::toString);
    assertEquals(List.of(), loaded.warnings());
    assertTrue(entries().size() > 30, () -> "only " + entries().size());
    Map<String, Source> feeds = loaded.settings().feeds().sources();
    for (CatalogueEntry feed : feeds()) {
      assertEquals(source(feed), feeds.get(feed.name()));
    }
    for (CatalogueEntry entry : dnsLists()) {
      assertEquals(list(entry), loaded.settings().feeds().dnsLists().get(entry.name()));
      assertEquals(entry.key().isEmpty(), list(entry).keyFile() == null, "a key has its file");
    }
  }

  @ParameterizedTest
  @MethodSource("feeds")
  void aFeedIsFetchedAsItsPublisherWants(CatalogueEntry feed) {
    FeedUrl url = source(feed).location().addresses().getFirst();
    assertTrue(Set.of("https", "rsync").contains(url.server().getScheme()), url::shown);
    assertEquals(url.isRsync(), source(feed).insecure(), "who copies it is shown that it is plain");
    Publishers.builtIn()
        .of(url.server())
        .ifPresent(p -> assertTrue(source(feed).every().compareTo(p.interval(url)) >= 0));
    assertTrue(source(feed).every().compareTo(source(feed).staleAfter()) < 0);
  }

  static List<CatalogueEntry> dnsLists() {
    return entries().stream().filter(entry -> entry.source().isEmpty()).toList();
  }

  private static Source source(CatalogueEntry entry) {
    return entry.source().orElseThrow();
  }

  private static DnsList list(CatalogueEntry entry) {
    return assertInstanceOf(CatalogueEntry.Listed.ByDns.class, entry.listed()).list();
  }

  /** Answers that report a refused question, of these lists and of URIBL and SURBL (bit 1). */
  @ParameterizedTest
  @CsvSource({
    "127, 0, 0, 1",
    "127, 0, 0, 255",
    "127, 0, 1, 255",
    "127, 0, 2, 255",
    "127, 0, 10, 3",
    "127, 255, 255, 252",
    "127, 255, 255, 254",
    "127, 255, 255, 255"
  })
  void noRefusedAnswerIsAListing(int a, int b, int c, int d) {
    int answer = a << 24 | b << 16 | c << 8 | d;
    for (CatalogueEntry entry : dnsLists()) {
      assertTrue(
          list(entry).codes().stream().noneMatch(codes -> codes.contains(answer)), entry::name);
    }
  }

  /** One line of prose without a full stop fits wherever it is shown. */
  private static void assertLine(String text) {
    assertTrue(text.matches("[ -~]{0,199}[^ .]"), text);
  }

  static List<CatalogueEntry> entries() {
    return Catalogue.builtIn().entries();
  }

  /** A default may change, so what is copied says what it does. */
  @ParameterizedTest
  @MethodSource("entries")
  void anEntryKeepsTheRulesOfTheCatalogue(CatalogueEntry entry) {
    Stream.of(entry.title(), entry.purpose(), entry.licence(), entry.because())
        .forEach(CatalogueTest::assertLine);
    Set<String> keys =
        entry.written().stream().map(value -> value.path().get(1)).collect(Collectors.toSet());
    assertTrue(
        keys.containsAll(
            entry.source().isPresent()
                ? Set.of("format", "checks", "every", "action")
                : Set.of("checks", "action")),
        keys::toString);
    assertTrue(
        entry.source().isPresent() || keys.contains("codes") || keys.contains("bits"),
        keys::toString);
    entry.checks().forEach(check -> assertTrue(EntryKind.finds(check, entry.lists()), check::key));
    entry
        .source()
        .ifPresent(feed ->
            assertTrue(EntryKind.ofFormat(feed.format()).containsAll(entry.lists()), entry::name));
    assertTrue(!entry.action().refuses() || entry.risk() == Risk.LOW, entry::name);
  }

  @Test
  void onlyListsWithACleanRecordRefuseMail() {
    assertEquals(
        List.of("spamhaus-drop", "spamhaus-dropv6", "feodo", "et-compromised"),
        feeds().stream()
            .filter(f -> source(f).action().compareTo(Action.TAG) > 0)
            .map(CatalogueEntry::name)
            .toList());
    assertEquals(4, feeds().stream().filter(CatalogueEntry::recommended).count());
    feeds().stream()
        .filter(f -> !f.mail())
        .forEach(f -> assertEquals(Action.OBSERVE, source(f).action(), f.name()));
    assertTrue(feeds().stream().anyMatch(f -> !f.mail() && f.risk() == Risk.HIGH));
  }

  private static List<String> warnings(String source) {
    SettingsResult.Loaded loaded =
        assertInstanceOf(
            SettingsResult.Loaded.class,
            SettingsFile.parse(
                "b.yaml", HEAD + "    some: {" + source + "}\n", Map.of(), () -> "mx.example.com"));
    return loaded.warnings().stream().map(Problem::toString).toList();
  }

  @Test
  void aSettingsFileThatAsksTooOftenIsWarned() {
    assertEquals(
        List.of(
            "b.yaml:5:68: warning: The Spamhaus Project wants 1h between two downloads and is"
                + " asked no more often; write every: 1h or longer"),
        warnings("url: https://WWW.spamhaus.org/drop/drop_v4.json, every: 10m"));
  }

  @Test
  void theTextWithoutMistakesIsTaken() {
    Publishers publishers = SettingsFile.own("f", PUBLISHER, Publishers::read);
    assertEquals(
        "Them",
        publishers
            .of(URI.create("https://LISTS.example.org/x"))
            .map(Publishers.Publisher::name)
            .orElse("nobody"));
    assertTrue(publishers.of(URI.create("https://example.org/x")).isEmpty());
    assertEquals("some", Catalogue.parse("f", PUBLISHER + FEED).suggestion("sone").orElse(""));
  }

  /** The intervals of the file count for a feed's own address, for mirrors and for checksums. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          url: https://joewein.net/dl/bl/dom-bl-base.txt, every: 1h          | joewein.de wants 1d
          url: https://joewein.net/dl/bl/dom-bl.txt, every: 30m              | joewein.de wants 1h
          url: https://x.example/, every: 1h, mirrors: ["https://joewein.net/dl/bl/dom-bl-base.txt?a"] | joewein.de wants 1d
          url: https://joewein.net/dl/bl/dom-bl-base.txt, every: 2h, mirrors: ["https://joewein.net/dl/bl/dom-bl.txt"] | joewein.de wants 1d
          url: https://x.example/, every: 10m, checksum_url: "https://www.spamhaus.org/s" | The Spamhaus Project wants 1h
          url: https://www.spamhaus.org/x, every: 10m, stale_after: 30m | stale before The Spamhaus Project may be asked again
          """)
  void everyAddressOfAFeedIsHeldToItsPublishersWish(String source, String warning) {
    List<String> warnings = warnings(source);
    assertEquals(warning.startsWith("stale") ? 2 : 1, warnings.size(), warnings::toString);
    assertTrue(warnings.getLast().contains(warning), warnings::toString);
  }
}
