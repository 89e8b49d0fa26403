package io.bloomgate.blocklists;

import static io.bloomgate.config.settings.MemorySettings.LISTS;
import static io.bloomgate.config.settings.MemorySettings.NETWORKS;
import static io.bloomgate.config.settings.MemorySettings.SENDERS;
import static io.bloomgate.config.settings.MemorySettings.STRONG;
import static io.bloomgate.config.settings.MemorySettings.WEAK;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.config.name.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is remembered of spam, and which list has it. */
final class OwnMemoryTest {

  private static final String ON = "traps: {keep: 30d}";
  private static final String LINK = MemoryStage.TEXT + "http://evil.example/pay\r\n";

  @TempDir private Path folder;
  private MemoryStage stage;

  @BeforeEach
  void open() throws IOException {
    stage = new MemoryStage(folder, ON);
  }

  @AfterEach
  void close() throws IOException {
    stage.close();
  }

  @Test
  void oneSightingIsWeak() throws IOException {
    assertTrue(stage.waitsUntil().isEmpty());
    assertTrue(stage.spam("192.0.2.1", "one@first.example", LINK) > 0);
    List<String> weak = stage.list(WEAK);
    assertFalse(weak.contains("evil.example"), () -> "a host needs two: " + weak);
    assertTrue(weak.contains(MemoryStage.print(LINK)), weak::toString);
    for (String none : List.of(STRONG, SENDERS, NETWORKS)) {
      assertEquals(List.of(), stage.list(none), none);
    }
  }

  @Test
  void twoNetworksAndTwoDomainsAreStrong() throws IOException {
    stage.strangers(LINK);
    assertEquals(List.of(MemoryStage.print(LINK)), stage.list(STRONG));
    assertTrue(stage.list(WEAK).contains("evil.example"), "a host tags at most");
    assertEquals(List.of(), stage.list(NETWORKS));
    stage.spam("192.0.2.9", "three@first.example", "other");
    assertEquals(List.of(), stage.list(NETWORKS), "of one domain");
    stage.spam("192.0.2.9", "three@other.example", "other");
    assertEquals(List.of("192.0.2.0/24"), stage.list(NETWORKS));
    assertEquals(List.of(), stage.list(SENDERS));
    stage.spam("203.0.113.9", "three@other.example", "other");
    assertEquals(List.of(), stage.list(SENDERS), "spam forges senders");
    stage.spam("198.18.0.9", "three@other.example", "other");
    assertEquals(List.of("other.example", "three@other.example"), stage.list(SENDERS));
  }

  @Test
  void explainCanSayWhereItWasSeen() throws IOException {
    MailEvidence mail = MemoryStage.mail("x@first.example", "hello", LINK);
    stage.spam("192.0.2.1", "one@first.example", "7K3Q9ZT2AB", mail);
    stage.spam("198.51.100.1", "two@second.example", "7K3Q9ZT2AC", mail);
    String line =
        stage.lines(WEAK).filter(one -> one.startsWith("evil.example")).findFirst().orElseThrow();
    assertEquals(
        "evil.example # trap mail 2026-11-16 id 7K3Q9ZT2AB, trap mail 2026-11-16 id 7K3Q9ZT2AC",
        line);
  }

  @Test
  void oneStrangerIsOne() throws IOException {
    stage.spam("192.0.2.1", "one@first.example", LINK);
    stage.spam("192.0.2.200", "two@second.example", LINK);
    assertEquals(List.of(), stage.list(STRONG), "one network");
    stage.spam("198.51.100.1", "three@a.third.co.uk", LINK.replace("evil", "other"));
    stage.spam("203.0.113.1", "four@b.third.co.uk", LINK.replace("evil", "other"));
    assertFalse(stage.list(WEAK).contains("other.example"), "one registered domain");
  }

  @Test
  void nothingIsListedBeforeGoodMailIsKnown(@TempDir Path other) throws IOException {
    try (MemoryStage young = new MemoryStage(other, "")) {
      young.strangers(LINK);
      assertFalse(Files.exists(other.resolve("memory.db")), "switched off");
    }
    stage.passed(Duration.ofDays(1));
    stage.now = stage.now.plus(Duration.ofDays(5));
    stage.strangers(LINK);
    assertEquals(List.of(), stage.list(STRONG), "it was off for five days");
    assertEquals(List.of(), stage.list(WEAK), "it was off for five days");
    assertTrue(stage.waitsUntil().orElseThrow().isAfter(stage.now.plus(Duration.ofDays(13))));
    stage.passed(Duration.ofDays(14));
    assertTrue(stage.list(WEAK).contains("evil.example"));
    stage.forgetsSessions();
    assertEquals(List.of(), stage.list(STRONG), "a day of sessions is damaged");
    assertTrue(stage.list(WEAK).contains("evil.example"));
  }

  @Test
  void aKeyLivesFromItsLastSighting() throws IOException {
    stage.strangers(LINK);
    stage.passed(Duration.ofDays(20));
    stage.spam("203.0.113.1", "five@fifth.example", LINK);
    stage.passed(Duration.ofDays(29));
    assertTrue(stage.list(WEAK).contains("evil.example"));
    stage.passed(Duration.ofDays(2));
    for (String list : LISTS) {
      assertEquals(List.of(), stage.list(list), list);
    }
  }

  /** Anyone may write to a trap: what is kept of a mail is short. */
  @Test
  void longAddressesOfPagesAreNotRemembered() throws IOException {
    String page = "http://docs.google.com/document/d/1aB2cD3eF4gH5iJ6kL7mN8oP9qR0sT1uV2wX3y/";
    stage.strangers(MemoryStage.TEXT + page + "edit\r\n");
    stage.strangers(MemoryStage.TEXT + page + "x".repeat(100) + "\r\n");
    assertEquals(
        List.of(page + "edit"),
        stage.list(STRONG).stream().filter(entry -> entry.contains("docs.google.com")).toList());
  }

  @Test
  void aReportOfGoodMailKeepsItsKeysOut() throws IOException {
    stage.strangers(LINK);
    assertTrue(stage.list(WEAK).contains("evil.example"));
    assertTrue(stage.good("203.0.113.1", "x@any.example", LINK) > 0);
    stage.strangers(LINK);
    assertFalse(stage.list(WEAK).contains("evil.example"));
    assertFalse(stage.list(WEAK).contains(MemoryStage.print(LINK)));
    stage.passed(Duration.ofDays(91));
    stage.strangers(LINK);
    stage.passed(Duration.ofDays(1));
    assertTrue(stage.list(WEAK).contains("evil.example"));
  }

  @Test
  void whatWasSeenOutlivesTheProcess() throws IOException {
    stage.spam("192.0.2.1", "one@first.example", LINK);
    stage.restart();
    stage.spam("198.51.100.1", "two@second.example", LINK);
    assertTrue(stage.list(WEAK).contains("evil.example"));
  }

  @Test
  void aDamagedFileIsPutAside() throws IOException {
    stage.close();
    Files.writeString(folder.resolve("memory.db"), "no database".repeat(1_000));
    Files.deleteIfExists(folder.resolve("memory.db-wal"));
    stage.restart();
    assertTrue(stage.spam("192.0.2.1", "one@first.example", LINK) > 0);
    assertTrue(Files.exists(folder.resolve("memory.db.damaged")));
    assertEquals(List.of(), stage.alarms());
  }

  @Test
  void aNearCopyIsFoundByABand() throws IOException {
    stage.spam("192.0.2.1", "one@first.example", MemoryStage.TEXT);
    String near = MemoryStage.TEXT + "thanks";
    assertFalse(stage.list(WEAK).contains(MemoryStage.print(near)));
    List<String> weak = stage.list(WEAK);
    assertTrue(
        MemoryStage.mail("a@b.example", "x", near).keys().stream()
            .anyMatch(key -> key.check() == Check.BODY && weak.contains(key.key().toString())),
        weak::toString);
  }

  @Test
  void mailboxProvidersAreNamedByWholeAddressesOnly() throws IOException {
    stage.spam("192.0.2.1", "spammer@gmail.com", "text");
    stage.spam("198.51.100.1", "spammer@gmail.com", "text");
    stage.spam("203.0.113.1", "spammer@gmail.com", "text");
    assertEquals(List.of("spammer@gmail.com"), stage.list(SENDERS));
  }

  @Test
  void sharedHostsAndRedirectorsAreNotHosts() throws IOException {
    stage.strangers(
        MemoryStage.TEXT
            + "https://docs.google.com/forms/d/e/1FAIpQLSfAbCdEfGhIjKlMnOp/viewform"
            + " https://docs.google.com/forms https://docs.google.com/"
            + " https://bit.ly/3abcdefghijklmnop9 https://www.google.com/url\r\n");
    assertEquals(
        List.of("http://docs.google.com/forms/d/e/1FAIpQLSfAbCdEfGhIjKlMnOp/viewform"),
        stage.list(STRONG).stream().filter(entry -> entry.contains("/")).toList());
    assertFalse(stage.list(STRONG).contains("docs.google.com"));
    assertTrue(
        stage.list(WEAK).stream()
            .noneMatch(entry -> entry.contains("bit.ly") || entry.contains("www.google.com")),
        () -> "a redirector");
  }

  // ---- poison

  @Test
  void aThousandStrangersCannotHaveThePartnersLinkRefused() throws IOException {
    stage.accepted("203.0.113.7", "sales@partner.example", "see http://shop.partner.example/new");
    MailEvidence mail =
        MemoryStage.mail("sales@partner.example", "hi", "http://shop.partner.example/ " + LINK);
    for (int i = 0; i < 1_000; i++) {
      stage.spam("11." + i / 250 + "." + i % 250 + ".1", "x@s" + i + ".example", "", mail);
    }
    assertTrue(stage.list(WEAK).contains("evil.example"));
    for (String list : LISTS) {
      assertTrue(
          stage.list(list).stream().noneMatch(entry -> entry.contains("partner.example")), list);
    }
  }

  @Test
  void forgedSendersAreNotListed() throws IOException {
    stage.accepted("203.0.113.7", "sales@partner.example", "good morning");
    for (int i = 0; i < 5; i++) {
      MailEvidence forged = MemoryStage.mail("sales@partner.example", "hi", LINK);
      stage.spam("11.1." + i + ".1", "sales@partner.example", "", forged);
      stage.spam("11.2." + i + ".1", "any@s" + i + ".example", "", forged);
      MailEvidence own = MemoryStage.mail("boss@company.example", "hi", LINK);
      stage.spam("11.3." + i + ".1", "any@t" + i + ".example", "", own);
    }
    assertTrue(
        stage.list(SENDERS).stream()
            .noneMatch(
                entry -> entry.contains("partner.example") || entry.contains("company.example")),
        () -> "senders");
  }

  @Test
  void theTextOfTheOwnNewsletterIsNotListed() throws IOException {
    String news = MemoryStage.TEXT.replace("parcel", "offer") + "http://www.company.example/news";
    stage.accepted("203.0.113.7", "news@mailer.example", news);
    stage.strangers(news);
    stage.strangers(news.replace("www.company.example", "evil.example"));
    assertEquals(List.of(), stage.list(STRONG), "neither text nor own host");
    MailEvidence letter = MemoryStage.mail("a@b.example", "x", news);
    List<String> weak = stage.list(WEAK);
    assertTrue(weak.contains("evil.example"), weak::toString);
    assertTrue(
        letter.keys().stream().noneMatch(key -> weak.contains(key.key().toString())),
        weak::toString);
  }

  /** Nobody ever got a mail with it here: that it is known as good has to do. */
  @Test
  void aKnownGoodHostIsNotListed(@TempDir Path other) throws IOException {
    Path good = Files.writeString(other.resolve("good.list"), "bank.example\n");
    Path state = Files.createDirectory(other.resolve("state"));
    try (MemoryStage known = new MemoryStage(state, ON + "\nallow: {known_good: [" + good + "]}")) {
      known.strangers(LINK + "https://secure.bank.example/login\r\n");
      List<String> weak = known.list(WEAK);
      assertTrue(weak.contains("evil.example"), weak::toString);
      assertFalse(weak.contains("secure.bank.example"), weak::toString);
    }
  }

  @Test
  void theNoticeOfABankIsNotListed(@TempDir Path other) throws IOException {
    Path good = Files.writeString(other.resolve("good.list"), "bank.example\n");
    Path state = Files.createDirectory(other.resolve("state"));
    try (MemoryStage known = new MemoryStage(state, ON + "\nallow: {known_good: [" + good + "]}")) {
      String notice = MemoryStage.TEXT + "https://secure.bank.example/login\r\n";
      known.accepted("203.0.113.7", "info@bank.example", notice);
      known.strangers(notice);
      MailEvidence forged = MemoryStage.mail("info@bank.example", "your account", notice);
      known.spam("11.1.1.1", "info@bank.example", "", forged);
      known.spam("11.2.1.1", "x@third.example", "", forged);
      for (String list : List.of(STRONG, NETWORKS)) {
        assertEquals(List.of(), known.list(list), list);
      }
      for (String list : List.of(WEAK, SENDERS)) {
        assertTrue(
            known.list(list).stream().noneMatch(entry -> entry.contains("bank.example")), list);
      }
    }
  }

  @Test
  void mailThatWasItselfSeenInATrapSaysNothingGood() throws IOException {
    MailEvidence mail = MemoryStage.mail("x@first.example", "hello", LINK);
    stage.accepted("7K3Q9ZT2AB", "192.0.2.1", "one@first.example", mail);
    stage.spam("192.0.2.1", "one@first.example", "7K3Q9ZT2AB", mail);
    stage.spam("198.51.100.1", "two@second.example", "7K3Q9ZT2AC", mail);
    assertTrue(stage.list(WEAK).contains("evil.example"));
    assertEquals(Instant.parse("2026-11-16T02:00:00Z"), stage.now);
  }

  /** The first copy was accepted, and stays one that was reported. */
  @Test
  void aSecondReportOfTheSameSpamEmptiesNoList() throws IOException {
    MailEvidence mail = MemoryStage.mail("x@first.example", "hello", LINK);
    for (int copy = 1; copy <= 6; copy++) {
      stage.reported("192.0.2.1", "one@first.example", "7K3Q9ZT2A" + copy, mail);
      assertTrue(stage.list(WEAK).contains(MemoryStage.print(LINK)), "copy " + copy);
    }
    for (int copy = 1; copy <= 6; copy++) {
      stage.reported("11.1." + copy + ".1", "x@s" + copy + ".example", "8K3Q9ZT2A" + copy, mail);
    }
    assertTrue(stage.list(STRONG).contains(MemoryStage.print(LINK)));
    stage.passed(Duration.ofDays(13));
    assertTrue(stage.list(STRONG).contains(MemoryStage.print(LINK)));
  }

  /** Bounces to a trap have the subject of all bounces. */
  @Test
  void oneSubjectSaysNothing() throws IOException {
    MailEvidence bounce =
        MemoryStage.mail("a@b.example", "Undelivered Mail Returned to Sender", "x");
    String subject =
        bounce.keys().stream()
            .filter(key -> key.check() == Check.SUBJECT)
            .findFirst()
            .orElseThrow()
            .key()
            .toString();
    stage.spam("192.0.2.1", "one@first.example", "", bounce);
    assertFalse(stage.list(WEAK).contains(subject));
    stage.spam("198.51.100.1", "two@second.example", "", bounce);
    assertTrue(stage.list(WEAK).contains(subject));
    assertFalse(stage.list(STRONG).contains(subject));
  }

  /** Accepted mail keeps no more out than its session has hashes of. */
  @Test
  void aPressReviewWithManyLinksIsNotListed() throws IOException {
    StringBuilder review = new StringBuilder("see");
    for (int paper = 0; paper < 30; paper++) {
      review.append(" http://www.paper").append(paper).append(".example/");
    }
    stage.accepted("203.0.113.7", "news@mailer.example", review.toString());
    stage.strangers(review.toString());
    assertEquals(List.of(), stage.list(STRONG));
    List<String> weak = stage.list(WEAK);
    assertTrue(weak.stream().noneMatch(entry -> entry.contains("paper")), weak::toString);
  }

  /** The From header is anyone's: of a forged bank neither it nor its links are remembered. */
  @Test
  void aForgedFromIsNoEvidence() throws IOException {
    for (int i = 0; i < 4; i++) {
      MailEvidence forged =
          MemoryStage.mail(
              "notice@monthly-bank.example", "hi", "http://login.monthly-bank.example/ " + LINK);
      stage.spam("11.1." + i + ".1", "x@forge" + i + ".example", "", forged);
    }
    assertTrue(stage.list(WEAK).contains("evil.example"));
    for (String list : LISTS) {
      assertTrue(
          stage.list(list).stream().noneMatch(entry -> entry.contains("monthly-bank")), list);
    }
  }

  /** A mail each ten seconds would have all lists built each ten seconds. */
  @Test
  void besideManyEntriesListsAreWrittenEachTenMinutes() throws IOException {
    Duration seconds = Duration.ofSeconds(11);
    stage.live(1_000_000);
    stage.passed(Duration.ofHours(1));
    stage.spam("192.0.2.1", "one@first.example", LINK);
    assertTrue(stage.hasIn(seconds, WEAK, MemoryStage.print(LINK)), "few entries");
    stage.live(1_000_001);
    stage.passed(Duration.ofHours(1));
    String other = LINK.replace("parcel", "letter");
    stage.spam("192.0.2.1", "one@first.example", other);
    assertFalse(stage.hasIn(seconds, WEAK, MemoryStage.print(other)), "many entries");
    assertTrue(
        stage.hasIn(Duration.ofMinutes(10), WEAK, MemoryStage.print(other)), "ten minutes later");
  }
}
