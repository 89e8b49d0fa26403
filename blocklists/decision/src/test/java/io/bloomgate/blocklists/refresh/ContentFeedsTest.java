package io.bloomgate.blocklists.refresh;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.content.MailReader;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Gather;
import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.blocklists.decision.PolicyFactory;
import io.bloomgate.blocklists.decision.World;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.blocklists.operator.OperatorView;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Settings.Allow.NeverBlock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists of what mails carry, from the settings to the verdict. */
class ContentFeedsTest extends RefreshStories {

  private static final String HEX = "0123456789abcdef".repeat(4);

  private static final String URLS =
      """
      # phishing
      https://sites.google.com/view/bad-page/login?step=1
      https://bit.ly/
      http://evil.example/
      http://own.example/
      https://192.0.2.9/x
      """;

  private static final String BOTH = ", action: reject, format: urls, checks: [url, url_host]";

  private RefreshStage urls(String options) throws Exception {
    server.serve("/urls", URLS);
    RefreshStage stage = stage(url("urls", "/urls", options));
    stage.protectedSets =
        ProtectedSet.of(
            EnumSet.of(NeverBlock.DOMAINS), List.of(), List.of(), List.of("own.example"));
    stage.loop.tick();
    return stage;
  }

  private static ContentKey key(String url) {
    return new ContentKey(Check.URL, WebUrl.parse(url).toOptional().orElseThrow(), Place.OPEN);
  }

  /** A mail with these URLs, as the scanner of mails gives them. */
  private static Content mail(String... urls) {
    List<ContentKey> keys = new ArrayList<>();
    for (String url : urls) {
      ContentKey key = key(url);
      keys.add(key);
      keys.add(new ContentKey(Check.URL_HOST, ((WebUrl) key.key()).host(), Place.OPEN));
    }
    return new Content(keys);
  }

  private static String verdict(RefreshStage stage, Content content, String... entries) {
    Facts facts =
        Facts.ofClient(IpAddress.parse("203.0.113.7").toOptional().orElseThrow())
            .withContent(content);
    List<io.bloomgate.blocklists.operator.OperatorEntry> allows = new ArrayList<>();
    for (String line : entries) {
      allows.add(World.operatorEntry("a" + allows.size(), ListKind.ALLOW, line));
    }
    Lists lists =
        new Lists(
            stage.live.current(), OperatorView.of(allows), stage.loop.reports().lastSuccess());
    Policy policy = PolicyFactory.policy(stage.settings, Set.of(), List.of(), stage.protectedSets);
    return World.line(Gather.verdict(facts, lists, policy, stage.now));
  }

  @Test
  void ofASharedHostTheListedPageIsRefusedAndNoOther() throws Exception {
    try (RefreshStage stage = urls(BOTH)) {
      String page = "https://sites.google.com/view/bad-page/login?step=1";
      assertEquals(
          "reject url urls sites.google.com/view/bad-page/login?step=1",
          verdict(stage, mail("https://good.example/", page)));
      assertEquals("accept", verdict(stage, mail("https://sites.google.com/view/other")));
      assertEquals("accept", verdict(stage, mail("https://bit.ly/abc")), "all of a redirector");
    }
  }

  /** The keys of the one link of a mail, as the reader of mails gives them. */
  private static Content read(String link) {
    try (MailReader reader =
        new MailReader(
            MimeLimits.DEFAULTS,
            EnumSet.of(Check.URL, Check.URL_HOST),
            7,
            false,
            Thread.ofVirtual()::start)) {
      byte[] mail = ("Subject: a\r\n\r\nsee " + link + "\r\n").getBytes(US_ASCII);
      reader.put(mail, 0, mail.length);
      return new Content(reader.end().keys());
    }
  }

  /** What people add to a link, or leave away, leads to the same page. */
  @ParameterizedTest
  @CsvSource({
    "docs.google.com/forms/d/e/1FA/viewform, docs.google.com/forms/d/e/1FA/viewform/",
    "docs.google.com/forms/d/e/1FA/viewform/, docs.google.com/forms/d/e/1FA/viewform",
    "docs.google.com/forms/d/e/1FA/viewform?usp=sf_link, docs.google.com/forms/d/e/1FA/viewform",
    "docs.google.com/forms/d/e/1FA/viewform?usp=sf_link,"
        + " docs.google.com/forms/d/e/1FA/viewform/?usp=pp_url&authuser=1",
    "docs.google.com/forms/d/e/1FA/viewform, docs.google.com/forms/u/0/d/e/1FA/viewform?usp=x",
    "docs.google.com/forms/d/e/1FA, docs.google.com/forms/d/e/1FA/viewform?entry.1=a",
    "drive.google.com/file/d/1AB/, drive.google.com/file/d/1AB/view?usp=drive_link",
    "sites.google.com/view/bad, sites.google.com/view/bad/login/home?authuser=2",
    "www.dropbox.com/scl/fi/x1/a.pdf?rlkey=k&dl=0, www.dropbox.com/scl/fi/x1/a.pdf?dl=1",
    "forms.office.com/Pages/ResponsePage.aspx?id=A1, "
        + "forms.office.com/Pages/ResponsePage.aspx/?utm_source=m&id=A1",
    "docs.google.com/uc?id=5, docs.google.com/uc?id=5&x=1&y=2",
    "bit.ly/3xYz, bit.ly/3xYz/?utm_source=mail",
  })
  void nothingBehindAListedPageOfASharedHostHidesIt(String listed, String link) throws Exception {
    server.serve("/urls", "https://" + listed + "\n");
    try (RefreshStage stage = stage(url("urls", "/urls", BOTH))) {
      stage.loop.tick();
      assertTrue(verdict(stage, read("https://" + link)).startsWith("reject url urls "), link);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "docs.google.com/forms/d/e/1FA/viewform, docs.google.com/forms/d/e/1FAB/viewform",
    "docs.google.com/forms/d/e/1FA, docs.google.com/forms/d/e/1FAB",
    "docs.google.com/uc?id=5&usp=a, docs.google.com/uc?id=6&usp=a",
    "docs.google.com/uc?id=5, docs.google.com/uc",
    "docs.google.com/uc?id=5, docs.google.com/uc?id=55&x=1",
    "docs.google.com/uc?id=5&x=1, docs.google.com/uc?id=5",
    "sites.google.com/view/bad/login, sites.google.com/view/bad",
    "evil.example/a, other.example/a/",
  })
  void otherPagesOfASharedHostAreNotMeant(String listed, String link) throws Exception {
    server.serve("/urls", "https://" + listed + "\n");
    try (RefreshStage stage = stage(url("urls", "/urls", BOTH))) {
      stage.loop.tick();
      assertEquals("accept", verdict(stage, read("https://" + link)));
    }
  }

  @Test
  void aHostOfNobodyElseIsListedWhole() throws Exception {
    try (RefreshStage stage = urls(BOTH)) {
      assertTrue(verdict(stage, mail("https://evil.example/y")).startsWith("reject url"));
      assertTrue(verdict(stage, mail("https://192.0.2.9/y")).startsWith("reject url_host"));
      assertEquals("accept", verdict(stage, mail("http://own.example/")), "protected");
    }
  }

  @Test
  void anAllowLiftsItsOwnNameAndNoOther() throws Exception {
    try (RefreshStage stage = urls(BOTH)) {
      Content mail = mail("https://evil.example/y");
      assertEquals("accept", verdict(stage, mail, "evil.example scope=url_host"));
      assertTrue(verdict(stage, mail, "other.example scope=url_host").startsWith("reject"));
      Content page = mail("https://sites.google.com/view/bad-page/login?step=1");
      assertEquals("accept", verdict(stage, page, "//sites.google.com/view/"));
      assertEquals("accept", verdict(stage, page, "sites.google.com scope=url_host"));
      assertTrue(verdict(stage, page, "//sites.google.com/view/other").startsWith("reject"));
    }
  }

  @Test
  void whatCountsByItsUrlsOnlyIsShownAndAsksForNoAcceptance() throws Exception {
    try (RefreshStage stage = urls(BOTH)) {
      FeedStatus.Details shown = stage.loop.show("urls").orElseThrow();
      assertEquals(
          List.of(
              "sites.google.com: " + EntryGuard.SHARED_HOST,
              "bit.ly/: " + EntryGuard.SHARED_HOST,
              "bit.ly: " + EntryGuard.SHARED_HOST),
          shown.held().stream()
              .filter(held -> held.reason().equals(EntryGuard.SHARED_HOST))
              .map(held -> held.entry() + ": " + held.reason())
              .toList());
      assertTrue(
          shown.reasons().contains("3 times a " + EntryGuard.SHARED_HOST),
          shown.reasons()::toString);
      assertEquals(2, shown.heldEntries(), "the own domain, as URL and as host");
    }
  }

  @Test
  void withoutTheCheckUrlOnlyHostsAreListedAndAnotherChoiceIsReadAgain() throws Exception {
    try (RefreshStage stage = urls(", action: reject, format: urls, checks: [url_host]")) {
      Content page = mail("https://sites.google.com/view/bad-page/login?step=1");
      Content host = mail("https://evil.example/y");
      assertEquals("accept", verdict(stage, page));
      assertTrue(verdict(stage, host).startsWith("reject url_host"));
      stage.settings = RefreshStage.settings(url("urls", "/urls", BOTH));
      stage.loop.settingsChanged();
      stage.loop.tick();
      assertTrue(verdict(stage, page).startsWith("reject url "));
      assertTrue(verdict(stage, host).startsWith("reject url "));
    }
  }

  @Test
  void aListOfSha256ValuesRefusesAttachments() throws Exception {
    server.serve("/hashes", "# first\n" + HEX + "\n");
    try (RefreshStage stage = stage(url("hashes", "/hashes", ", action: reject, format: sha256"))) {
      stage.loop.tick();
      assertEquals(
          Set.of(Check.ATTACHMENT),
          stage.settings.feeds().sources().values().iterator().next().checks(),
          "the checks of such a list");
      Fingerprint print = Fingerprint.parse(HEX).toOptional().orElseThrow();
      Content mail = new Content(List.of(new ContentKey(Check.ATTACHMENT, print, Place.OPEN)));
      assertEquals("reject attachment hashes " + HEX, verdict(stage, mail));
      Content subject = new Content(List.of(new ContentKey(Check.SUBJECT, print, Place.OPEN)));
      assertEquals("accept", verdict(stage, subject));
      assertFalse(verdict(stage, mail, HEX).startsWith("reject"), "allowed by its value");
    }
  }
}
