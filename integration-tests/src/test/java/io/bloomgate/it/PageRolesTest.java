package io.bloomgate.it;

import static io.bloomgate.it.PageFixture.READ;
import static io.bloomgate.it.PageFixture.READ_TOO;
import static io.bloomgate.it.PageFixture.SUPPORT;
import static io.bloomgate.it.PageFixture.WRITE;
import static io.bloomgate.it.PageFixture.bearer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each token may do on the page, the page's acts, and what it says of refusals. */
class PageRolesTest extends PageStory {

  private HttpResponse<String> post(String token, String path, String form) throws Exception {
    return page.post(path, form, bearer(token));
  }

  private String get(String token, String path) throws Exception {
    return page.get(path, bearer(token)).body();
  }

  private List<String> audit() {
    return page.gateway().control(new ControlRequest.Audit(null, 50)).items().stream()
        .map(record -> record.text("author").orElse("") + " " + record.text("command").orElse(""))
        .toList();
  }

  private String status(String member) {
    return page.gateway()
        .control(new ControlRequest.Status())
        .only()
        .get(member)
        .map(Object::toString)
        .orElse("");
  }

  @Test
  void catalogueAndProfilesAreShownToThoseWhoRead() throws Exception {
    for (String path : List.of("/catalogue", "/profiles")) {
      assertEquals(401, page.get(path).statusCode());
    }
    String profiles = get(READ, "/profiles");
    assertTrue(profiles.contains("<td>exempt</td>"), profiles);
    assertTrue(profiles.contains("postmaster"), profiles);
  }

  @Test
  void tokensThatReadChangeNothing() throws Exception {
    for (String token : List.of(READ, READ_TOO)) {
      for (String form :
          List.of(
              "/run?do=drain",
              "/run?do=mode&mode=observe",
              "/catalogue?do=add&name=spamcop",
              "/allow?do=add&subject=r.example&reason=x&expires=1d")) {
        String[] parts = form.split("\\?", 2);
        assertEquals(403, post(token, parts[0], parts[1]).statusCode(), form);
      }
      assertFalse(get(token, "/").contains("method=\"post\" action=\"/run\""));
      assertFalse(get(token, "/catalogue").contains("aria-label=\"Add "));
    }
    assertEquals("false", truth("draining"));
    assertTrue(audit().contains("bob drain"), audit()::toString);
    List<String> refused =
        page.gateway().control(new ControlRequest.Audit(null, 50)).items().stream()
            .map(record -> record.text("subject").orElse(""))
            .toList();
    assertTrue(refused.contains("refused: the role is read"), refused::toString);
  }

  private String truth(String member) {
    return Boolean.toString(
        page.gateway().control(new ControlRequest.Status()).only().isTrue(member));
  }

  @Test
  void theRoleSupportAllowsForAWeekAndRemovesItsOwn() throws Exception {
    page.gateway().control(Addition.allow("admin.example").request());
    String add = "do=add&subject=sue.example&reason=ticket&expires=";
    for (String time : List.of("30d", "never", "")) {
      HttpResponse<String> answer = post(SUPPORT, "/allow", add + time);
      assertEquals(403, answer.statusCode(), answer::body);
      assertTrue(answer.body().contains("at most 7 days"), answer::body);
    }
    assertEquals(200, post(SUPPORT, "/allow", add + "7d").statusCode());
    assertEquals(403, post(SUPPORT, "/block", add + "1d").statusCode());
    assertEquals(403, post(SUPPORT, "/run", "do=mode&mode=observe").statusCode());
    assertEquals(403, post(SUPPORT, "/feed", "name=drop&do=disable").statusCode());
    String allow = get(SUPPORT, "/allow");
    assertTrue(allow.contains("aria-label=\"Remove sue.example\""), allow);
    assertFalse(allow.contains("aria-label=\"Remove admin.example\""), allow);
    assertFalse(allow.contains("value=\"30d\""), allow);
    assertFalse(allow.contains("name=\"force\""), allow);
    assertFalse(get(SUPPORT, "/block").contains("name=\"do\""));
    assertEquals(403, post(SUPPORT, "/allow", "do=remove&subject=admin.example").statusCode());
    assertEquals(200, post(SUPPORT, "/allow", "do=remove&subject=sue.example").statusCode());
    assertTrue(audit().contains("sue (support) allow add"), audit()::toString);
    assertTrue(audit().contains("sue (support) allow remove"), audit()::toString);
  }

  @Test
  void theModeIsSetAsTheCommandSetsIt() throws Exception {
    assertEquals(400, post(WRITE, "/run", "do=mode&mode=strict").statusCode());
    assertEquals(400, post(WRITE, "/run", "do=mode&mode=soft&for=x").statusCode());
    assertEquals(200, post(WRITE, "/run", "do=mode&mode=soft&for=1h").statusCode());
    assertTrue(status("mode").contains("soft"), status("mode"));
    assertFalse(status("mode_until").isEmpty());
    assertTrue(audit().contains("ada mode"), audit()::toString);
    page.gateway().control(new ControlRequest.SetMode(Mode.ENFORCE, null));
  }

  @Test
  void drainingIsAnAlarmThatCanBeSeenAndResumed() throws Exception {
    assertEquals(200, post(WRITE, "/run", "do=drain").statusCode());
    assertEquals("true", truth("draining"));
    assertEquals(409, post(WRITE, "/run", "do=seen&alarm=nothing").statusCode());
    assertTrue(get(WRITE, "/").contains("aria-label=\"Seen: draining"));
    assertEquals(200, post(WRITE, "/run", "do=seen&alarm=draining").statusCode());
    String overview = get(READ, "/");
    assertTrue(overview.contains("(seen by ada, "), overview);
    assertFalse(get(WRITE, "/").contains("aria-label=\"Seen: draining"));
    assertTrue(status("alarms_seen").contains("ada"), status("alarms_seen"));
    assertEquals(200, post(WRITE, "/run", "do=resume").statusCode());
    assertEquals("false", truth("draining"));
    for (String command : List.of("drain", "alarms seen", "resume")) {
      assertTrue(audit().contains("ada " + command), audit()::toString);
    }
  }

  @Test
  void aListOfTheCatalogueIsWrittenIntoTheSettings() throws Exception {
    assertTrue(get(WRITE, "/catalogue").contains("aria-label=\"Add psbl-dns\""));
    assertEquals(409, post(WRITE, "/catalogue", "do=add&name=none").statusCode());
    HttpResponse<String> keyed = post(WRITE, "/catalogue", "do=add&name=spamhaus-zen");
    assertTrue(keyed.body().contains("it needs a key"), keyed::body);
    HttpResponse<String> added = post(WRITE, "/catalogue", "do=add&name=psbl-dns");
    assertEquals(200, added.statusCode(), added::body);
    String text = Files.readString(folder.resolve("bloomgate.yaml"));
    assertTrue(text.contains("psbl.surriel.com"), text);
    assertTrue(get(READ, "/feeds").contains(">psbl-dns<"));
    assertTrue(audit().contains("ada feeds add"), audit()::toString);
    HttpResponse<String> again = post(WRITE, "/catalogue", "do=add&name=psbl-dns");
    assertEquals(409, again.statusCode(), again::body);
  }

  @Test
  void mailThatModeObserveLetPassIsShownBeforeEnforce(@TempDir Path other) throws Exception {
    try (PageFixture observing = new PageFixture(other)) {
      observing.gateway().control(new ControlRequest.SetMode(Mode.OBSERVE, null));
      SmtpClient.expect(
          "250",
          observing.gateway().send("203.0.113.7", "x@partner.example", "Subject: x\r\n\r\nx\r\n"));
      ControlRequest question = new ControlRequest.SparedTop(Instant.EPOCH, 10);
      JsonObject sender = observing.gateway().control(question).only();
      assertEquals("partner.example", sender.text("sender_domain").orElse(""));
      assertEquals("203.0.113.0/24", sender.text("network").orElse(""));
      assertFalse(sender.isTrue("known"));
      String overview = observing.get("/", bearer(READ)).body();
      assertTrue(overview.contains("Look at these before enforce"), overview);
      assertTrue(overview.contains("<td>partner.example</td>"), overview);
      assertTrue(overview.contains("Top clients"), overview);
      String listed = observing.get("/sessions?verdict=would_reject", bearer(READ)).body();
      assertTrue(listed.contains("\"badge warn\">would reject<"), listed);
      for (String word : List.of("would_tag", "would_greylist", "would_tempfail", "none")) {
        assertTrue(listed.contains("<option value=\"" + word + "\">"), listed);
      }
      observing.gateway().control(new ControlRequest.SetMode(Mode.ENFORCE, null));
      overview = observing.get("/", bearer(READ)).body();
      assertTrue(overview.contains("<h2>Let pass by mode observe</h2>"), overview);
    }
  }

  @Test
  void aMailThatSomeRecipientsGotSaysSoAndAllowIsForAWeek() throws Exception {
    try (SmtpClient client = SmtpClient.proxied(page.gateway().port("mx"), "203.0.113.150")) {
      client.reply();
      client.ask("EHLO mail.partner.example");
      client.ask("MAIL FROM:<x@partner.example>");
      SmtpClient.expect("250", client.ask("RCPT TO:<postmaster@example.com>"));
      SmtpClient.expect("554", client.ask("RCPT TO:<bob@example.com>"));
      SmtpClient.expect("250", client.message("Subject: x\r\n\r\nx\r\n"));
    }
    HttpResponse<String> listed = page.get("/sessions?client=203.0.113.150", bearer(SUPPORT));
    assertTrue(listed.body().contains("delivered, others refused"), listed::body);
    assertTrue(listed.body().contains("name=\"expires\" value=\"7d\""), listed::body);
  }

  @Test
  void aRefusalAtConnectSaysThatThePostmasterCannotBeReached(@TempDir Path other) throws Exception {
    try (PageFixture early = new PageFixture(other)) {
      early.gateway().with("policy", "{reject_at: connect}").writeSettings();
      early.gateway().control(new ControlRequest.ConfigReload(false));
      try (SmtpClient client = SmtpClient.proxied(early.gateway().port("mx"), "203.0.113.7")) {
        String why = early.why("/why/" + PageFixture.id(client.reply())).body();
        assertTrue(
            why.contains("to the postmaster of the domain that you wrote to is refused"), why);
      }
    }
  }

  @Test
  void aRefusalOfAnOwnEntryNamesNoListAndAnAllowedOneNamesItsEntry() throws Exception {
    add(ListKind.BLOCK, "192.0.2.70");
    String blocked = PageFixture.id(page.rcpt("192.0.2.70", "mail.example", "a@mail.example"));
    String why = page.why("/why/" + blocked).body();
    assertTrue(why.contains("administrator of this mail server"), why);
    assertFalse(why.contains("ask the list"), why);

    String listed = PageFixture.id(page.rcpt("192.0.2.71", "spam.example", "a@mail.example"));
    why = page.why("/why/" + listed).body();
    assertTrue(why.contains("ask the list"), why);
    String refusal =
        "554 5.7.1 Client host [192.0.2.1] blocked using drop ["
            + listed
            + "] (in reply to RCPT [x])";
    why = page.why("/why?id=" + URLEncoder.encode(refusal, UTF_8)).body();
    assertTrue(why.contains("ask the list"), why);
    add(ListKind.ALLOW, "192.0.2.71");
    HttpResponse<String> found = page.get("/lookup?subject=" + listed, bearer(READ));
    assertEquals(200, found.statusCode());
    assertTrue(
        found.body().contains(", by the allow entry <strong>192.0.2.71</strong>"), found::body);
  }

  private void add(ListKind list, String subject) {
    ControlRequest request = Addition.of(list, List.of(subject)).reason("a test").request();
    assertEquals(0, page.gateway().control(request).exitCode());
  }

  @Test
  void aRecipientGetsAProfileByForm() throws Exception {
    String[] write = bearer(WRITE);
    String[] read = bearer(READ);
    String form = "do=set&subject=bob%40example.com&profile=off&reason=ticket+7&expires=7d";
    assertEquals(403, page.post("/recipients", form, read).statusCode());
    HttpResponse<String> done = page.post("/recipients", form, write);
    assertEquals(200, done.statusCode(), done::body);
    assertTrue(page.rcpt("203.0.113.7", "client.example", "a@sender.example").startsWith("250"));
    String shown = page.get("/recipients", write).body();
    assertTrue(shown.contains("<td>bob@example.com</td><td>off </td>"), shown);
    assertTrue(shown.contains("<td>postmaster@</td><td>exempt </td>"), shown);
    assertEquals(409, page.post("/recipients", form.replace("=off", "=of"), write).statusCode());
    assertEquals(200, page.post("/recipients", "do=remove&subject=r1", write).statusCode());
    assertTrue(page.rcpt("203.0.113.7", "client.example", "a@sender.example").startsWith("554"));
  }
}
