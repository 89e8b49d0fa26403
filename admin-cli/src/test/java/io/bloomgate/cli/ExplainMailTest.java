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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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
    Shell.Result result = explain(file).exits(1);
    List<String> lines = result.out().lines().toList();
    assertEquals(
        file + " would be REFUSED at DATA   mode enforce, offline, generation 1", lines.get(0));
    assertEquals("  carries  url  evil.example/login", lines.get(1));
    assertTrue(
        lines.get(2).startsWith("    listed   urls  evil.example/login  line 17  url  "),
        lines.get(2));
    result.prints(
        "\n  clean    ", "1 url_host", "\n  print    subject  ", "\n  shape    1 part, depth 0\n");
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
    Shell.assertHas(longer, "\n  print    body  ");
    Shell.assertLacks(longer, "fewer than");
  }

  @Test
  void aMailOnStandardInputWithLinesOfUnixIsReadToo() {
    Shell.Result result =
        Shell.piped(LISTED.replace("\r\n", "\n"), "-c", settings, "--offline", "explain", "-")
            .exits(1);
    assertTrue(result.out().startsWith("standard input would be REFUSED at DATA"), result.out());
    result.prints(
        "  not asked: client, HELO and envelope sender", "carries  url  evil.example/login\n");
  }

  @Test
  void aQuotedMailAndAnExemptRecipientAreTaggedOnly() throws Exception {
    String nested =
        "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n"
            + "Content-Type: message/rfc822\r\n\r\n"
            + LISTED
            + "\r\n--b--\r\n";
    explain(mail(nested))
        .ends(
            0,
            "would be TAGGED",
            "carries  url  evil.example/login  in a quote or a nested message\n",
            "action tag: in a quote or a nested message");
    explain(mail(LISTED), "--to", "postmaster@example.com").exits(0);
  }

  @Test
  void theSessionCountsToo() throws Exception {
    explain(mail(LISTED), "--ip", "no address").fails(2, "--ip");
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
    explain(mail(deep.toString()))
        .ends(1, "\n  refused  by its shape: beyond limits.mime.depth 3\n");
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
    explain(folder.resolve("missing.eml").toString())
        .fails(2, "FILE.eml, as --mail FILE", "or as - for a mail on standard input");
    explain(folder.resolve("missing").toString())
        .fails(2, "there is no file " + folder.resolve("missing"), "FILE.eml");
    Path mail = Files.writeString(folder.resolve("mail"), "Subject: x\n\nx\n");
    explain(mail.toString()).fails(2, "is a file, and no subject; name it with --mail");
    explain("--mail", mail.toString(), "--at", "2h")
        .fails(2, "--at cannot be combined with a mail", "`bloomgate explain URL --at 2h -c ");
    Files.createDirectory(folder.resolve("folder.eml"));
    Shell.Result directory = explain(folder.resolve("folder.eml").toString()).exits(2);
    assertTrue(
        directory.err().contains("no regular file") || directory.err().contains("not a regular"),
        directory.err());
    explain("--mail", mail(LISTED), "192.0.2.1").exits(2);
    explain().exits(2);
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
                  "--socket", socket.toString(), "explain", mail(LISTED), "--ip", "192.0.2.1", "-v")
              .exits(1);
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
    Shell.assertHas(skipped, "the first line");
    Shell.assertLacks(skipped, "empty line");
  }

  /** In a request each quotation mark of a URL takes two octets. */
  static List<String> mailsWithTooMuch() {
    StringBuilder quoted = new StringBuilder("Content-Type: text/html\r\n\r\n");
    for (int i = 0; i < 400; i++) {
      quoted.append("<a href='http://h.example/?" + i + "\"".repeat(1_800) + "'>x</a>\r\n");
    }
    StringBuilder many = new StringBuilder(HEAD);
    for (int i = 0; i < 900; i++) {
      many.append("http://h" + i % 100 + ".example/" + i + "x".repeat(3_000) + "\r\n");
    }
    return List.of(quoted.toString(), many.toString());
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("mailsWithTooMuch")
  void moreThanIsSentOrKeptOfOneMailIsNamed(String text) throws Exception {
    Path socket = folder.resolve("s");
    JsonObject said = JsonValue.object().put("verdict", "accept").build();
    try (FakeGateway gateway =
        FakeGateway.answering(socket, new ControlReply.Item(said), new ControlReply.Done(0))) {
      JsonObject answer =
          json(Shell.run("-o", "json", "--socket", socket.toString(), "explain", mail(text)));
      int sent = ((ControlRequest.ExplainMail) gateway.asked().getFirst()).keys().size();
      assertEquals(sent, answer.elements("keys").size());
      Shell.assertHas(answer.elements("not_looked_at").toString(), "keys behind the first ");
    }
  }
}
