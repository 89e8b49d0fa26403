package io.bloomgate.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.gateway.testkit.Addition;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The page in a real browser: each page, an allow entry by one click, texts of senders that want to
 * be scripts, and what people with a keyboard or a screen reader need. With {@code -Dpictures=DIR}
 * it leaves pictures there.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageBrowserTest {

  private static final List<String> PAGES =
      List.of(
          "/",
          "/live",
          "/lookup?subject=203.0.113.7",
          "/feeds",
          "/feed?name=drop&score=yes",
          "/catalogue",
          "/profiles",
          "/allow",
          "/block",
          "/sessions?span=7d",
          "/audit");

  private static final int MAX_OCTETS = 100_000;
  private static final String EVIL = "<script>window.evil=1</script><img/src=x/onerror=evil=1>";

  private Path folder;
  private PageFixture page;
  private Browser browser;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    folder = directory;
    Browser.require();
    page = new PageFixture(folder);
    browser = Browser.open(folder.resolve("profile"), true);
    for (String client : List.of("203.0.113.7", "198.51.100.4", "192.0.2.1")) {
      page.rcpt(client, "mail.partner.example", "news@partner.example");
    }
    logIn(browser);
  }

  @AfterAll
  void stop() {
    if (browser != null) {
      browser.close();
    }
    if (page != null) {
      page.close();
    }
  }

  private void logIn(Browser one) {
    one.go(page.address("/"));
    one.type("token", PageFixture.WRITE);
    one.click("Log in");
    assertTrue(one.text().contains("Overview"), one::text);
  }

  @Test
  void eachPageIsSmallAndHasNoSeriousFault() throws Exception {
    for (boolean dark : List.of(false, true)) {
      browser.dark(dark);
      for (String path : PAGES) {
        browser.go(page.address(path));
        assertTrue(browser.title().endsWith("Bloomgate"), path);
        assertTrue(browser.octets() < MAX_OCTETS, () -> path + ": " + browser.octets());
        assertEquals(List.of(), browser.faults(), () -> path + (dark ? " dark" : " light"));
        picture((dark ? "dark" : "light") + path.replaceAll("[^a-z]+", "-"));
      }
    }
    browser.dark(false);
    browser.narrow(320);
    for (String path : PAGES) {
      browser.go(page.address(path));
      assertEquals(
          "true",
          browser.evaluate("return document.documentElement.scrollWidth <= innerWidth"),
          () -> path + " is wider than a narrow window");
      assertEquals(
          "true",
          browser.evaluate(
              """
              return [...document.querySelectorAll(".scroll")]
                  .every(box => box.scrollWidth <= box.clientWidth)\
              """),
          () -> path + " has a table that scrolls sideways");
      picture("narrow" + path.replaceAll("[^a-z]+", "-"));
    }
    browser.narrow(0);
  }

  @Test
  void nothingOfLiveAndSessionsIsOutsideAWideWindow() throws Exception {
    String name = "mail-with-a-long-name-of-some-provider.partner.example";
    page.rcpt("2001:db8:1234:5678:9abc:def0:1234:5678", name, "a.long.local.part@" + name);
    for (String path : List.of("/live", "/sessions?span=7d")) {
      browser.go(page.address(path));
      assertTrue(browser.text().contains("2001:db8:1234:5678"), browser::text);
      assertEquals(
          "",
          browser.evaluate(
              """
              return [...document.querySelectorAll("main *")]
                  .filter(one => one.getBoundingClientRect().right > innerWidth)
                  .map(one => one.outerHTML).join("\\n")\
              """),
          path);
    }
  }

  @Test
  void aReasonCanBeReadToItsEnd() throws Exception {
    String reason = "a partner whose server shares its network with others, ".repeat(8) + "END";
    page.gateway().control(Addition.allow("reason.example").reason(reason).request());
    browser.go(page.address("/allow"));
    assertTrue(browser.text().contains(reason), browser::text);
  }

  @Test
  void timesAreThoseOfTheReader() {
    browser.zone("Pacific/Auckland");
    browser.go(page.address("/sessions"));
    browser.await("Times are in Pacific/Auckland");
    browser.zone("");
  }

  @Test
  void sessionsUntilAMomentAreFound() throws Exception {
    page.rcpt("203.0.113.133", "until.example", "x@until.example");
    browser.go(page.address("/sessions?client=203.0.113.133&until=2020-01-01T12:00"));
    assertEquals(0, browser.count("#rows tr"));
    browser.go(page.address("/sessions?client=203.0.113.133&until=2090-01-01T12:00"));
    assertEquals(0, browser.count("#rows tr"), "a day before that there was none");
    browser.go(page.address("/sessions?client=203.0.113.133"));
    browser.await("until.example");
    assertEquals(1, browser.count("#rows tr"));
  }

  @Test
  void thePagesForEverybodyHaveNoSeriousFault() throws Exception {
    String id = PageFixture.id(page.rcpt("192.0.2.67", "spam.example", "x@sender.example"));
    for (boolean dark : List.of(false, true)) {
      browser.dark(dark);
      browser.go(page.whyAddress("/why/" + id));
      assertTrue(browser.text().contains("names"), browser::text);
      assertEquals(List.of(), browser.faults());
      picture((dark ? "dark" : "light") + "-why");
      browser.go(page.address("/").replace("127.0.0.1", "localhost")); // another cookie
      assertTrue(browser.text().contains("Token"), browser::text);
      assertEquals(List.of(), browser.faults());
      picture((dark ? "dark" : "light") + "-login");
    }
    browser.dark(false);
  }

  private void picture(String name) throws IOException {
    String directory = System.getProperty("pictures", "");
    if (!directory.isEmpty()) {
      browser.picture(Files.createDirectories(Path.of(directory)).resolve(name + ".png"));
    }
  }

  @Test
  void oneClickLetsTheNextMailPass() throws Exception {
    String client = "203.0.113.130";
    String refusal = page.rcpt(client, "mail.partner.example", "news@partner.example");
    assertTrue(refusal.startsWith("554"), refusal);
    browser.go(page.address("/live?client=" + client));
    browser.click("Allow");
    assertEquals("/lookup", browser.path());
    assertTrue(browser.text().contains("Done."), browser::text);
    assertTrue(browser.text().contains(PageFixture.id(refusal)), browser::text);
    String accepted = page.rcpt(client, "mail.partner.example", "news@partner.example");
    assertTrue(accepted.startsWith("250"), accepted);
    browser.go(page.address("/audit"));
    assertTrue(browser.text().contains(PageFixture.AUTHOR), browser::text);
  }

  @Test
  void theOverviewSetsTheModeAndDrains() {
    browser.go(page.address("/"));
    browser.evaluate("document.querySelector('select[name=mode]').value = 'soft'; return ''");
    browser.click("Set the mode");
    assertTrue(browser.text().contains("Done."), browser::text);
    assertTrue(browser.text().contains("soft"), browser::text);
    browser.evaluate("document.querySelector('.acts [required]').click(); return ''");
    browser.click("Drain");
    assertTrue(browser.text().contains("draining: no mail is taken"), browser::text);
    browser.click("Seen");
    assertTrue(browser.text().contains("(seen by " + PageFixture.AUTHOR), browser::text);
    browser.click("Resume: take mail again");
    assertFalse(browser.text().contains("draining: no mail is taken"), browser::text);
    browser.evaluate("document.querySelector('select[name=mode]').value = 'enforce'; return ''");
    browser.click("Set the mode");
    assertTrue(browser.text().contains("enforce"), browser::text);
  }

  @Test
  void newSessionsAppearByThemselves() throws Exception {
    browser.go(page.address("/live?client=203.0.113.131"));
    assertEquals(0, browser.count("#rows tr"));
    page.rcpt("203.0.113.131", "later.example", "x@later.example");
    browser.await("later.example");
    assertEquals(1, browser.count("#rows tr"));
  }

  @Test
  void textsFromOutsideAreNoScripts() throws Exception {
    String refusal = page.rcpt("203.0.113.132", EVIL, "\"" + EVIL + "\"@spam.example");
    String id = PageFixture.id(refusal);
    page.gateway().write("names.txt", "spam.example", EVIL + ".example", "quiet.example");
    page.gateway().control(new ControlRequest.FeedsRefresh(List.of("names"), false, true));
    page.gateway().control(Addition.block("evil.example").reason(EVIL).request());
    for (String path :
        List.of(
            "/",
            "/live?client=203.0.113.132",
            "/live?from=" + query(EVIL),
            "/sessions",
            "/lookup?subject=" + id,
            "/lookup?subject=" + query(EVIL),
            "/feed?name=names",
            "/feed?name=" + query(EVIL),
            "/block",
            "/allow?match=" + query("\" autofocus onfocus=evil=1 x=\""),
            "/audit")) {
      browser.go(page.address(path));
      assertEquals("undefined", browser.evaluate("return typeof window.evil"), path);
      assertEquals(0, browser.count("main script, main img, main [onerror], main [onfocus]"), path);
    }
    browser.go(page.address("/live?client=203.0.113.132"));
    assertTrue(browser.text().contains("<script>"), browser::text);
  }

  private static String query(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void allButTheLiveLinesWorksWithoutScript() throws Exception {
    try (Browser plain = Browser.open(folder.resolve("plain"), false)) {
      logIn(plain);
      plain.go(page.address("/live"));
      assertTrue(plain.count("#rows tr") > 0);
      assertFalse(plain.text().contains("appear by themselves"));
      plain.go(page.address("/block"));
      plain.type("subject", "blocked.example");
      plain.type("reason", "no script");
      plain.click("Block");
      assertTrue(plain.text().contains("Done."), plain::text);
      plain.click("Remove");
      assertTrue(plain.text().contains("Done."), plain::text);
      plain.click("Log out");
      assertTrue(plain.text().contains("Token"), plain::text);
    }
  }
}
