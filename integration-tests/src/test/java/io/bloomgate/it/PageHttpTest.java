package io.bloomgate.it;

import static io.bloomgate.it.PageFixture.READ;
import static io.bloomgate.it.PageFixture.WRITE;
import static io.bloomgate.it.PageFixture.bearer;
import static io.bloomgate.it.PageFixture.send;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.ListKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page without a browser: who may see and change what, and what each answer carries. */
class PageHttpTest extends PageStory {

  private static final List<String> PAGES =
      List.of(
          "/",
          "/live",
          "/live/rows",
          "/live.js",
          "/lookup?subject=spam.example",
          "/feeds",
          "/feed?name=drop",
          "/feed?name=drop&score=yes",
          "/allow",
          "/block",
          "/sessions",
          "/audit");

  private static final Pattern FORM_TOKEN = Pattern.compile("name=\"form\" value=\"([^\"]+)\"");

  private static String header(HttpResponse<String> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  /** The cookie of a new login, as a browser sends it back. */
  private String login(String token) throws Exception {
    HttpResponse<String> answer = page.post("/login", "token=" + token + "&next=%2Ffeeds");
    assertEquals(303, answer.statusCode(), answer::body);
    assertEquals("/feeds", header(answer, "Location"));
    return header(answer, "Set-Cookie").split(";", 2)[0];
  }

  private String formToken(String cookie) throws Exception {
    Matcher token = FORM_TOKEN.matcher(page.get("/", "Cookie", cookie).body());
    assertTrue(token.find());
    return token.group(1);
  }

  @Test
  void nothingIsShownWithoutAToken() throws Exception {
    for (String path : PAGES) {
      HttpResponse<String> answer = page.get(path);
      assertEquals(401, answer.statusCode(), path);
      assertTrue(answer.body().contains("<h1>Bloomgate</h1>"), path);
      assertFalse(answer.body().contains("<table"), path);
    }
    assertEquals(401, page.get("/nothing").statusCode());
    assertEquals(401, page.get("/metrics").statusCode());
    assertEquals(401, page.post("/allow", "do=add&subject=203.0.113.7").statusCode());
    assertEquals(200, page.get("/livez").statusCode());
    assertEquals(200, page.get("/readyz").statusCode());
  }

  @Test
  void eachPageIsShownWithATokenAndHasItsHeaders() throws Exception {
    for (String path : PAGES) {
      HttpResponse<String> answer = page.get(path, bearer(READ));
      assertEquals(200, answer.statusCode(), () -> path + ": " + answer.body());
      assertTrue(answer.body().length() < 100_000, path);
      String policy = header(answer, "Content-Security-Policy");
      assertTrue(policy.startsWith("default-src 'none'; style-src 'self'"), policy);
      assertFalse(policy.contains("unsafe"), policy);
      assertEquals("no-store", header(answer, "Cache-Control"));
      assertEquals("nosniff", header(answer, "X-Content-Type-Options"));
      assertEquals("DENY", header(answer, "X-Frame-Options"));
      assertEquals("same-origin", header(answer, "Referrer-Policy"));
    }
    assertEquals(404, page.get("/nothing", bearer(READ)).statusCode());
    String overview = page.get("/", bearer(READ)).body();
    page.gateway()
        .control(new ControlRequest.FeedsList())
        .items()
        .forEach(feed -> assertTrue(overview.contains(">" + feed.text("feed").orElse("") + "<")));
  }

  @Test
  void theCookieHoldsARandomIdThatScriptsAndOtherSitesDoNotGet() throws Exception {
    HttpResponse<String> answer = page.post("/login", "token=" + WRITE);
    String cookie = header(answer, "Set-Cookie");
    assertTrue(cookie.contains("; HttpOnly; SameSite=Strict;"), cookie);
    assertTrue(cookie.contains("; Path=/;"), cookie);
    assertFalse(cookie.contains(WRITE), cookie);
    String session = login(READ);
    assertEquals(200, page.get("/", "Cookie", "other=1; " + session).statusCode());
    assertEquals(401, page.get("/", "Cookie", session + "x").statusCode());
    String form = "form=" + formToken(session);
    assertEquals(303, page.post("/logout", form, "Cookie", session).statusCode());
    assertEquals(401, page.get("/", "Cookie", session).statusCode());
  }

  @Test
  void theWayBackAfterTheLoginStaysHere() throws Exception {
    for (String next : List.of("//evil.example/", "/%5Cevil.example", "https://evil.example/")) {
      HttpResponse<String> answer = page.post("/login", "token=" + READ + "&next=" + next);
      assertEquals("/", header(answer, "Location"), next);
    }
  }

  @Test
  void aFormOfAnotherSiteChangesNothing() throws Exception {
    String session = login(WRITE);
    String form = "do=add&subject=192.0.2.98&reason=test&form=" + formToken(session);
    for (String wrong :
        List.of("do=add&subject=192.0.2.98", form + "x", form.replace("form=", "f="))) {
      assertEquals(403, page.post("/allow", wrong, "Cookie", session).statusCode(), wrong);
    }
    for (String origin : List.of("https://evil.example", "null", "http://127.0.0.1:1")) {
      assertEquals(
          403, page.post("/allow", form, "Cookie", session, "Origin", origin).statusCode());
    }
    String own = page.address("");
    assertEquals(303, page.post("/allow", form, "Cookie", session, "Origin", own).statusCode());
    String body = page.get("/allow", "Cookie", session).body();
    assertTrue(body.contains("<strong>Done.</strong>"), body);
    assertTrue(body.contains(">Take back 192.0.2.98</button>"), body);
    assertFalse(page.get("/allow", "Cookie", session).body().contains("<strong>Done.</strong>"));
  }

  @Test
  void aProfileThatWasSetCanBeTakenBack() throws Exception {
    String session = login(WRITE);
    String set = "do=set&subject=carol%40example.com&profile=off&form=" + formToken(session);
    assertEquals(303, page.post("/recipients", set, "Cookie", session).statusCode());
    String body = page.get("/recipients", "Cookie", session).body();
    assertTrue(body.contains(">Take back carol@example.com</button>"), body);
    assertFalse(body.contains("action=\"/recipient\""), body);
  }

  /** There is no command on a page that could be repeated. */
  @Test
  void aBlockThatNeedsForceNamesTheBoxOfTheForm() throws Exception {
    String session = login(WRITE);
    String add = "do=add&subject=example.com&form=" + formToken(session);
    assertEquals(303, page.post("/block", add, "Cookie", session).statusCode());
    String answer = page.get("/block", "Cookie", session).body();
    assertTrue(answer.contains("example.com is your own domain"), answer);
    assertFalse(answer.contains("repeat the command"), answer);
    assertTrue(answer.contains("tick `force` and send the form again if you mean it"), answer);
  }

  @Test
  void aChangeIsInTheAuditUnderTheNameOfItsToken() throws Exception {
    String add = "do=add&subject=name.example&reason=by+script&expires=7d";
    HttpResponse<String> added = page.post("/block", add, bearer(WRITE));
    assertEquals(200, added.statusCode(), added::body);
    assertTrue(
        page.gateway().control(new ControlRequest.Audit(null, 50)).items().stream()
            .anyMatch(record ->
                record.text("author").orElse("").equals(PageFixture.AUTHOR)
                    && record.text("command").orElse("").equals("block add")
                    && record.text("subject").orElse("").contains("name.example")));
    assertEquals(409, page.post("/block", "do=add&subject=/&reason=x", bearer(WRITE)).statusCode());
    assertEquals(400, page.post("/block", "do=what", bearer(WRITE)).statusCode());
    assertEquals(404, page.post("/audit", "do=add", bearer(WRITE)).statusCode());
  }

  @Test
  void anEndIsReadAsTheCommandLineReadsItOrRefused() throws Exception {
    String add = "do=add&subject=end.example&reason=x&expires=";
    for (String wrong : List.of("gestern", "2020-01-01", "0d")) {
      HttpResponse<String> answer = page.post("/block", add + wrong, bearer(WRITE));
      assertEquals(400, answer.statusCode(), wrong);
      assertTrue(answer.body().contains(wrong), answer::body);
    }
    assertEquals("", end("end.example"));
    for (String date : List.of("2095-12-04", "2096-12-04")) {
      assertEquals(200, page.post("/block", add + date, bearer(WRITE)).statusCode());
      assertEquals(date + "T00:00:00Z", end("end.example"));
    }
  }

  /** When the entry of this subject ends; empty when there is none. */
  private String end(String subject) throws IOException {
    return page
        .gateway()
        .control(new ControlRequest.ListShow(ListKind.BLOCK, subject, 9, null))
        .items()
        .stream()
        .flatMap(entry -> entry.text("expires").stream())
        .collect(Collectors.joining(" "));
  }

  @Test
  void feedsAreSwitchedOffAndOn() throws Exception {
    assertEquals(400, page.post("/feed", "name=bulk&do=disable&for=x", bearer(WRITE)).statusCode());
    assertEquals(
        200, page.post("/feed", "name=bulk&do=disable&for=1h", bearer(WRITE)).statusCode());
    String off = page.get("/feed?name=bulk", bearer(READ)).body();
    assertTrue(off.contains("<dd>disabled</dd>"), off);
    assertEquals(200, page.post("/feed", "name=bulk&do=enable", bearer(WRITE)).statusCode());
    assertEquals(200, page.post("/feed", "name=bulk&do=refresh", bearer(WRITE)).statusCode());
    assertEquals(409, page.post("/feed", "name=bulk&do=rollback", bearer(WRITE)).statusCode());
    assertEquals(409, page.post("/feed", "name=none&do=accept", bearer(WRITE)).statusCode());
  }

  /** The form for the token, and {@code /metrics}, which the same token opens. */
  @Test
  void wrongTokensAreLimitedAndCounted() throws Exception {
    String[] right = bearer(READ);
    limited(
        "127.9.0.2",
        guess ->
            PageFixture.sendFrom("127.9.0.2", "POST", page.address("/login"), "token=" + guess));
    limited("127.9.0.4", guess -> metrics("127.9.0.4", guess));
    String metrics = page.get("/metrics", right).body();
    Matcher counted =
        Pattern.compile("bloomgate_limit_reached_total\\{limit=\"page_tokens\"\\} ([0-9.]+)")
            .matcher(metrics);
    assertTrue(counted.find(), metrics);
    assertTrue(Double.parseDouble(counted.group(1)) >= 2, counted::group);
  }

  private interface Guess {
    HttpResponse<String> show(String token) throws Exception;
  }

  /** The limit binds wrong tokens: the right one counts, so that nobody can lock others out. */
  private void limited(String client, Guess guess) throws Exception {
    int wrong = 0;
    int status;
    do {
      status = guess.show("guess" + wrong).statusCode();
      wrong++;
    } while (status == 401 && wrong < 100);
    assertEquals(429, status);
    assertTrue(wrong < 10, () -> "limited late");
    assertEquals(200, metrics(client, READ).statusCode());
  }

  private HttpResponse<String> metrics(String client, String token) throws Exception {
    return PageFixture.sendFrom(client, "GET", page.address("/metrics"), "", bearer(token));
  }

  @Test
  void wrongTokensOfManyClientsLockNobodyOut() throws Exception {
    int i = 0;
    do {
      i++;
    } while (metrics("127.9.1." + (1 + i / 4), "guess" + i).statusCode() == 401 && i < 400);
    assertTrue(i < 400, "never limited");
    assertEquals(200, metrics("127.9.2.1", READ).statusCode());
  }

  @Test
  void aNewTokenInTheFileOpensMetricsAndTheOldOneDoesNot() throws Exception {
    String renewed = "renewed-0123456789-abcdef";
    Files.writeString(folder.resolve("read"), renewed + "\n");
    try {
      assertEquals(200, metrics("127.9.0.5", renewed).statusCode());
      assertTrue(List.of(401, 429).contains(metrics("127.9.0.5", READ).statusCode()));
    } finally {
      PageFixture.writeTokens(folder, PageFixture.AUTHOR + " " + WRITE);
    }
  }

  @Test
  void aTokenThatWasTakenOutEndsItsSessions() throws Exception {
    String other = "other-0123456789-abcdef";
    String line = PageFixture.AUTHOR + " " + WRITE;
    PageFixture.writeTokens(folder, line + "\nbob " + other);
    String session = login(other);
    assertEquals(200, page.get("/", "Cookie", session).statusCode());
    PageFixture.writeTokens(folder, line);
    assertEquals(401, page.get("/", "Cookie", session).statusCode());
  }

  @Test
  void aForeignNameOfTheHostIsRefused() throws Exception {
    String port = ":" + page.httpPort();
    for (String host :
        List.of("evil.example" + port, "evil.example", "127.0.0.1.evil.example", "")) {
      assertTrue(withHost(host).startsWith("HTTP/1.1 421"), host);
    }
    for (String host : List.of("127.0.0.1" + port, "localhost", "mx.example.com", "[::1]" + port)) {
      assertTrue(withHost(host).startsWith("HTTP/1.1 200"), host);
    }
  }

  private String withHost(String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), page.httpPort())) {
      String request =
          "GET / HTTP/1.1\r\nHost: "
              + host
              + "\r\nAuthorization: Bearer "
              + READ
              + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void requestsAreBounded() throws Exception {
    String[] write = bearer(WRITE);
    assertEquals(414, page.get("/lookup?subject=" + "a".repeat(5000), write).statusCode());
    assertEquals(413, page.post("/allow", "subject=" + "a".repeat(20_000), write).statusCode());
    assertEquals(405, send("PUT", page.address("/"), "", write).statusCode());
    assertEquals(
        415,
        page.post("/allow", "{}", "Authorization", "Bearer " + WRITE, "Content-Type", "text/plain")
            .statusCode());
    String many = "x=%zz&" + "a=1&".repeat(500) + "do=add&subject=192.0.2.1";
    assertEquals(400, page.post("/allow", many, write).statusCode());
  }

  @Test
  void aRefusedSenderSeesTheListAndNoAddress() throws Exception {
    String id = PageFixture.id(page.rcpt("192.0.2.66", "spam.example", "eve@sender.example"));
    HttpResponse<String> answer = page.why("/why/" + id);
    assertEquals(200, answer.statusCode(), answer::body);
    assertTrue(answer.body().contains("<strong>names</strong>"), answer::body);
    assertTrue(answer.body().contains("https://why.example.com/names"), answer::body);
    for (String secret : List.of("192.0.2.66", "eve@", "bob@", "example.com<", "spam.example")) {
      assertFalse(answer.body().contains(secret), secret);
    }
    assertEquals(answer.body(), page.why("/why?id=" + id.toLowerCase(Locale.ROOT)).body());
    assertEquals(404, page.why("/").statusCode());
    assertEquals(404, send("POST", page.whyAddress("/why"), "id=" + id).statusCode());
    assertEquals(200, page.why("/why").statusCode());
    assertEquals(200, page.why("/why/page.css").statusCode());
  }

  @Test
  void unknownAndMalformedIdsGetTheSameAnswer() throws Exception {
    String unknown = page.why("/why/0123456789").body();
    for (String id : List.of("x", "%3Cscript%3E", "0".repeat(300), "..%2F..%2Fetc", "ZZZZZZZZZZ")) {
      HttpResponse<String> answer = page.why("/why/" + id);
      assertEquals(404, answer.statusCode(), id);
      assertEquals(unknown, answer.body(), id);
    }
  }

  @Test
  void questionsForReasonsAreLimited() throws Exception {
    int status = 404;
    for (int i = 0; i < 60 && status == 404; i++) {
      status =
          PageFixture.sendFrom("127.9.0.3", "GET", page.whyAddress("/why/0123456789"), "")
              .statusCode();
    }
    assertEquals(429, status);
  }

  @Test
  void questionsOfOneNetworkLeaveRoomForOthers() throws Exception {
    String unknown = page.whyAddress("/why/0123456789");
    int i = 0;
    do {
      i++;
    } while (PageFixture.sendFrom("127.9.3." + (1 + i / 10), "GET", unknown, "").statusCode() == 404
        && i < 1000);
    assertTrue(i < 1000, "never limited");
    assertEquals(404, PageFixture.sendFrom("127.9.4.1", "GET", unknown, "").statusCode());
  }
}
