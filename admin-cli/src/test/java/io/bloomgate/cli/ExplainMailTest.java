package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.entry.ListEntry;
import io.bloomgate.config.control.ControlReply;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.WebUrl;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code explain} of a mail, in a file and on standard input, with and without a gateway. */
class ExplainMailTest extends OfflineState {

  private static final String HEAD =
      "From: Bank <a@bank.example>\r\nSubject: Your account is locked now\r\n\r\n";
  private static final String LISTED = HEAD + "see http://evil.example/login now\r\n";

  @BeforeEach
  void leaveStateBehind() throws Exception {
    leave(
        """
        limits: {mime: {depth: 3}}
        feeds: {sources: {urls: {file: urls.txt, format: urls, checks: [url], action: reject}}}
        """,
        "urls",
        new ListEntry.Url(
            WebUrl.parse("http://evil.example/login").toOptional().orElseThrow(), false, 17));
  }

  private String mail(String text) throws Exception {
    Path file = folder.resolve("mail.eml");
    Files.writeString(file, text, StandardCharsets.ISO_8859_1);
    return file.toString();
  }

  private static JsonObject json(Shell.Result result) throws Exception {
    assertEquals(1, result.out().lines().count(), result.out() + result.err());
    return (JsonObject) Json.parse(result.out());
  }

  private static JsonObject key(JsonObject answer, String check) {
    return answer.elements("keys").stream()
        .map(JsonObject.class::cast)
        .filter(key -> key.text("check").orElse("").equals(check))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aListedUrlRefusesTheMailWithFeedEntryAndLine() throws Exception {
    String file = mail(LISTED);
    Shell.Result result = explain(file);
    assertEquals(1, result.exitCode(), result.err());
    List<String> lines = result.out().lines().toList();
    assertEquals(
        file + " would be REFUSED at DATA   mode enforce, offline, generation 1", lines.get(0));
    assertEquals("  carries  url  evil.example/login", lines.get(1));
    assertTrue(
        lines.get(2).startsWith("    listed   urls  evil.example/login  line 17  url  "),
        lines.get(2));
    assertTrue(result.out().contains("\n  clean    "), result.out());
    assertTrue(result.out().contains("1 url_host"), result.out());
    assertTrue(result.out().contains("\n  print    subject  "), result.out());
    assertTrue(result.out().contains("\n  shape    1 part, depth 0\n"), result.out());
  }

  @Test
  void everyKeyIsInTheObject() throws Exception {
    JsonObject answer = json(explain("-o", "json", mail(LISTED)));
    assertEquals("reject", answer.text("verdict").orElse(""));
    assertEquals("data", answer.text("stage").orElse(""));
    assertTrue(answer.isTrue("offline"));
    assertEquals(1, answer.number("generation").orElse(0));
    JsonObject url = key(answer, "url");
    assertEquals("open", url.text("place").orElse(""));
    JsonObject listing = (JsonObject) url.elements("listings").getFirst();
    assertEquals("urls", listing.text("feed").orElse(""));
    assertEquals(17, listing.number("line").orElse(0));
    assertEquals(List.of(), key(answer, "url_host").elements("listings"));
    assertEquals("a@bank.example", key(answer, "from").text("key").orElse(""));
    assertEquals(1, answer.object("shape").orElseThrow().number("parts").orElse(0));
    assertTrue(
        answer.elements("not_looked_at").toString().contains("likeness"),
        "there is no operator store whose seed could be used");
  }

  @Test
  void aTextWithoutAPrintSaysWhy() throws Exception {
    String why = "  skipped  the text: it has fewer than the 20 words with letters that a print";
    assertTrue(explain(mail(LISTED)).out().contains(why), LISTED);
    String words = " one two three four five six seven eight nine ten".repeat(3);
    String longer = explain(mail(LISTED + words)).out();
    assertTrue(longer.contains("\n  print    body  "), longer);
    assertFalse(longer.contains("fewer than"), longer);
  }

  @Test
  void aMailOnStandardInputWithLinesOfUnixIsReadToo() {
    Shell.Result result =
        Shell.run(
            Map.of(),
            LISTED.replace("\r\n", "\n"),
            false,
            "-c",
            settings,
            "--offline",
            "explain",
            "-");
    assertEquals(1, result.exitCode(), result.err());
    assertTrue(result.out().startsWith("standard input would be REFUSED at DATA"), result.out());
    assertTrue(
        result.out().contains("  not asked: client, HELO and envelope sender"), result.out());
    assertTrue(result.out().contains("carries  url  evil.example/login\n"), result.out());
  }

  @Test
  void aQuotedMailAndAnExemptRecipientAreTaggedOnly() throws Exception {
    String nested =
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
            + "Content-Type: message/rfc822\r\n\r\n"
            + LISTED
            + "\r\n--b--\r\n";
    Shell.Result result = explain(mail(nested));
    assertEquals(0, result.exitCode(), result.err());
    assertTrue(result.out().contains("would be TAGGED"), result.out());
    assertTrue(
        result.out().contains("carries  url  evil.example/login  in a quote or a nested message\n"),
        result.out());
    assertTrue(result.out().contains("action tag: in a quote or a nested message"), result.out());
    Shell.Result exempt = explain(mail(LISTED), "--to", "postmaster@example.com");
    assertEquals(0, exempt.exitCode(), exempt.out() + exempt.err());
  }

  @Test
  void theSessionCountsToo() throws Exception {
    Shell.Result result = explain(mail(LISTED), "--ip", "no address");
    assertEquals(2, result.exitCode(), result.out());
    assertTrue(result.err().contains("--ip"), result.err());
    JsonObject known =
        json(explain("-o", "json", mail(LISTED), "--ip", "192.0.2.9", "--from", "a@b.example"));
    assertEquals("reject", known.text("verdict").orElse(""));
  }

  @Test
  void aShapeBeyondTheLimitsIsRefused() throws Exception {
    StringBuilder deep = new StringBuilder("MIME-Version: 1.0\r\n");
    for (int i = 0; i < 5; i++) {
      deep.append("Content-Type: multipart/mixed; boundary=b" + i + "\r\n\r\n--b" + i + "\r\n");
    }
    Shell.Result result = explain(mail(deep.toString()));
    assertEquals(1, result.exitCode(), result.err());
    assertTrue(
        result.out().contains("\n  refused  by its shape: beyond limits.mime.depth 3\n"),
        result.out());
  }

  @Test
  void nothingOfTheMailReachesTheTerminalAsItIs() throws Exception {
    String hostile =
        String.join(
            "\r\n",
            "From: \"\u001b[2J\" <\"a\u001b]0;x\u0007\"@b.example>",
            "Subject: =?utf-8?q?=1b[31m_=e2=80=ae_now_very_long?=",
            "",
            "http://evil.example/\u001b[31m%1b%0a\u009b x",
            "");
    for (String format : List.of("human", "json", "raw")) {
      // Format raw has a TAB between its columns.
      char separator = format.equals("raw") ? '\t' : '\n';
      Shell.Result result = explain("-v", "-o", format, mail(hostile));
      assertFalse(
          (result.out() + result.err())
              .chars()
              .anyMatch(c ->
                  (c < 0x20 && c != '\n' && c != separator)
                      || (c >= 0x7f && c < 0xa0)
                      || c == 0x202e),
          format + ": " + result.out());
    }
  }

  @Test
  void whatIsNoMailIsNamed() throws Exception {
    Shell.Result missing = explain(folder.resolve("missing.eml").toString());
    assertEquals(2, missing.exitCode());
    assertTrue(missing.err().contains("FILE.eml, as --mail FILE"), missing.err());
    assertTrue(missing.err().contains("or as - for a mail on standard input"), missing.err());
    Shell.Result path = explain(folder.resolve("missing").toString());
    assertEquals(2, path.exitCode());
    assertTrue(path.err().contains("there is no file " + folder.resolve("missing")), path.err());
    assertTrue(path.err().contains("FILE.eml"), path.err());
    Path mail = Files.writeString(folder.resolve("mail"), "Subject: x\n\nx\n");
    Shell.Result other = explain(mail.toString());
    assertEquals(2, other.exitCode());
    assertTrue(other.err().contains("is a file, and no subject; name it with --mail"), other.err());
    Shell.Result past = explain("--mail", mail.toString(), "--at", "2h");
    assertEquals(2, past.exitCode());
    assertTrue(past.err().contains("--at cannot be combined with a mail"), past.err());
    assertTrue(past.err().contains("`bloomgate explain URL --at 2h -c "), past.err());
    Files.createDirectory(folder.resolve("folder.eml"));
    Shell.Result directory = explain(folder.resolve("folder.eml").toString());
    assertEquals(2, directory.exitCode(), directory.err());
    assertTrue(
        directory.err().contains("no regular file") || directory.err().contains("not a regular"),
        directory.err());
    assertEquals(2, explain("--mail", mail(LISTED), "192.0.2.1").exitCode());
    assertEquals(2, explain().exitCode());
    assertEquals(0, explain("a@missing.eml").exitCode(), "an address is no file");
  }

  @Test
  void aGatewayGetsKeysAndNoOctetOfTheMail() throws Exception {
    Path socket = folder.resolve("s");
    JsonObject said =
        (JsonObject)
            Json.parse(
                "{\"subject\":\"mail\",\"verdict\":\"reject\",\"stage\":\"data\",\"mode\":\"enforce\","
                    + "\"generation\":4,\"offline\":false,\"listings\":[{\"feed\":\"urls\",\"kind\":\"url\"}],"
                    + "\"keys\":[{\"number\":1,\"listings\":[{\"feed\":\"urls\",\"entry\":\"e\","
                    + "\"kind\":\"url\",\"action\":\"reject\"}],\"allow\":null}]}");
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new ControlReply.Item(said), new ControlReply.Done(1))) {
      Shell.Result result =
          Shell.run(
              "--socket", socket.toString(), "explain", mail(LISTED), "--ip", "192.0.2.1", "-v");
      assertEquals(1, result.exitCode(), result.err());
      ControlRequest.ExplainMail asked = (ControlRequest.ExplainMail) gateway.asked().getFirst();
      assertEquals("192.0.2.1", asked.ip());
      assertTrue(asked.keys().contains("url open evil.example/login"), asked.keys().toString());
      assertTrue(asked.keys().contains("from open a@bank.example"), asked.keys().toString());
      assertFalse(asked.toString().contains("locked"), asked.toString());
      assertEquals(1, result.out().lines().filter(line -> line.startsWith("  carries  ")).count());
    }
  }

  /** Over SMTP the line would end the header; in a file it is none of the mail. */
  @Test
  void theLineOfAMailboxFileIsLeftOut() throws Exception {
    JsonObject of = json(explain("-o", "json", mail(LISTED)));
    JsonObject behind = json(explain("-o", "json", mail("From bob Mon Nov 23\r\n" + LISTED)));
    assertEquals(of.elements("keys").toString(), behind.elements("keys").toString());
    String skipped = behind.elements("not_looked_at").toString();
    assertTrue(skipped.contains("the first line"), skipped);
    assertFalse(skipped.contains("empty line"), skipped);
  }

  /** In a request each quotation mark of a URL takes two octets. */
  @Test
  void moreThanOneRequestTakesIsNamed() throws Exception {
    StringBuilder text = new StringBuilder("Content-Type: text/html\r\n\r\n");
    for (int i = 0; i < 400; i++) {
      text.append("<a href='http://h.example/?" + i + "\"".repeat(1_800) + "'>x</a>\r\n");
    }
    Path socket = folder.resolve("s");
    JsonObject said = JsonValue.object().put("verdict", "accept").build();
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new ControlReply.Item(said), new ControlReply.Done(0))) {
      Shell.Result result =
          Shell.run("-o", "json", "--socket", socket.toString(), "explain", mail(text.toString()));
      assertEquals(0, result.exitCode(), result.err());
      int sent = ((ControlRequest.ExplainMail) gateway.asked().getFirst()).keys().size();
      JsonObject answer = json(result);
      assertEquals(sent, answer.elements("keys").size());
      String skipped = answer.elements("not_looked_at").toString();
      assertTrue(skipped.contains("keys behind the first " + sent), skipped);
    }
  }

  @Test
  void moreThanIsKeptOfOneMailIsNamed() throws Exception {
    StringBuilder text = new StringBuilder(HEAD);
    for (int i = 0; i < 900; i++) {
      text.append("http://h" + i % 100 + ".example/" + i + "x".repeat(3_000) + "\r\n");
    }
    Path socket = folder.resolve("s");
    JsonObject said = JsonValue.object().put("verdict", "accept").build();
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new ControlReply.Item(said), new ControlReply.Done(0))) {
      Shell.Result result =
          Shell.run("-o", "json", "--socket", socket.toString(), "explain", mail(text.toString()));
      assertEquals(0, result.exitCode(), result.err());
      int sent = ((ControlRequest.ExplainMail) gateway.asked().getFirst()).keys().size();
      JsonObject answer = json(result);
      assertEquals(sent, answer.elements("keys").size());
      assertTrue(
          answer.elements("not_looked_at").toString().contains("keys behind the first "),
          answer.elements("not_looked_at").toString());
    }
  }
}
