package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.gateway.testkit.Addition;
import io.bloomgate.gateway.testkit.ScriptedUpstream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * What mails carry, in front of a real Postfix: what a list or an entry names is refused before the
 * dot of Postfix and can be explained by its id; the same mail with another URL arrives as it came.
 */
class ContentStoryTest {

  private static final String HASHED = ContentStoryMails.sha256(ContentStoryMails.ATTACHED);

  /** Lines of the list of URLs; the host of line 2 is shared by many. */
  private static final String[] URLS = {
    "# a list of URLs",
    "https://sites.google.com/view/evil-login",
    "http://Bad.Example.NET/pay/../pay/now.html?id=7",
  };

  private static final Pattern ID = Pattern.compile("\\[([A-Za-z0-9]{10,})]$");

  @TempDir private static Path folder;
  private static final ScriptedUpstream SINK = ScriptedUpstream.start();
  private static @Nullable PostfixServer postfix;
  private static @Nullable GatewayFixture gateway;

  /** Clients of networks of their own, so that no refusal is summed up with another. */
  private static int clients;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    int port = FreePort.next();
    postfix =
        PostfixServer.start(
            folder,
            "",
            "127.0.0.1:"
                + port
                + " inet n - n - 10 smtpd\n  -o smtpd_proxy_filter=127.0.0.1:"
                + SINK.port()
                + "\n",
            port);
    Path own = Files.createDirectory(folder.resolve("gateway"));
    GatewayFixture fixture = GatewayFixture.in(own, port);
    fixture.write("urls.txt", URLS);
    fixture.write("hashes.txt", "# a list of attachments", "", HASHED);
    gateway =
        fixture
            .with("policy", "{exempt_mail: together}")
            .feeds(
                """
                urls: {file: FOLDER/urls.txt, format: urls, checks: [url], action: reject}
                hashes: {file: FOLDER/hashes.txt, format: sha256, checks: [attachment], action: reject}
                """)
            .start();
    block(TypedSubject.subject("You have won 1,000,000 dollars"));
    block(TypedSubject.fromHeader("ceo@fake.example.org"));
    block(TypedSubject.fromHeader("fraud.example.org"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (gateway != null) {
      gateway.close();
    }
    if (postfix != null) {
      postfix.close();
    }
    SINK.close();
  }

  private static GatewayFixture gateway() {
    if (gateway == null) {
      throw new IllegalStateException("not started");
    }
    return gateway;
  }

  private static void block(Parsed<TypedSubject> named) {
    TypedSubject thing = named.toOptional().orElseThrow();
    gateway()
        .control(
            Addition.block(thing.subject().written())
                .reason("a test")
                .scope(thing.scope().size() == 1 ? thing.scope().iterator().next() : null)
                .force(true)
                .request());
  }

  private static String send(String message, String... recipients) throws IOException {
    String client = "45.66." + clients++ + ".9";
    return gateway().send(client, "a@partner.example", message, recipients);
  }

  static final List<ContentStoryMails.Mail> REFUSED = ContentStoryMails.refused();

  @ParameterizedTest
  @FieldSource("REFUSED")
  void isRefusedAndExplained(ContentStoryMails.Mail mail) throws IOException {
    int before = SINK.deliveredCount();
    String reply = send(mail.text(), "bob@example.com");
    assertTrue(reply.startsWith("554 5.7.1 Service unavailable; "), reply);
    assertTrue(reply.contains(mail.said()), reply);
    assertEquals(before, SINK.deliveredCount());
    Matcher shown = ID.matcher(reply);
    assertTrue(shown.find(), reply);
    String id = shown.group(1);
    Conditions.await(
        "a line of the log with " + id,
        () -> logLine(id).contains(mail.said()) && logLine(id).contains("554 5.7.1"));
    String explained = Json.write(gateway().incident(reply));
    assertTrue(explained.contains("\"" + mail.source() + "\""), explained);
    assertTrue(explained.contains(mail.entry()), explained);
    assertTrue(mail.line() == 0 || explained.contains("\"line\":" + mail.line()), explained);
  }

  private static String logLine(String id) throws IOException {
    try (Stream<String> lines = Files.lines(gateway().logFile(), UTF_8)) {
      return lines.filter(line -> line.contains(id)).reduce("", String::concat);
    }
  }

  @Test
  void anotherPathAtTheSameHostArrivesAsItCame() throws IOException {
    arrivesAsItCame(REFUSED.getFirst().text().replace("evil-login", "good-login"));
  }

  @Test
  void whatNoMailProgramMakesALinkOfArrivesAsItCame() throws IOException {
    arrivesAsItCame(ContentStoryMails.harmless());
  }

  private static void arrivesAsItCame(String message) throws IOException {
    String reply = send(message, "bob@example.com");
    assertTrue(reply.startsWith("250 "), reply);
    String arrived = SINK.nextDelivery().content();
    assertTrue(arrived.endsWith(message), arrived);
    String above = arrived.substring(0, arrived.length() - message.length());
    assertTrue(
        above.matches("(?s)Received: from .*\\sby postfix\\.example\\.com .*Received: .*"), above);
    assertFalse(above.contains("\r\nX-"), above);
  }

  static final List<ContentStoryMails.Mail> TAGGED = ContentStoryMails.tagged();

  @ParameterizedTest
  @FieldSource("TAGGED")
  void whatNobodyClicksIsTaggedAtMost(ContentStoryMails.Mail mail) throws IOException {
    arrivesTagged(mail.text(), "bob@example.com");
  }

  @Test
  void mailThatPostmasterGetsTooIsTagged() throws IOException {
    String text = REFUSED.getFirst().text();
    arrivesTagged(text, "bob@example.com", "postmaster@example.com", "eve@example.com");
  }

  private static void arrivesTagged(String message, String... recipients) throws IOException {
    String reply = send(message, recipients);
    assertTrue(reply.startsWith("250 "), reply);
    ScriptedUpstream.Delivery delivery = SINK.nextDelivery();
    assertEquals(recipients.length, delivery.to().size());
    assertTrue(delivery.content().endsWith(message), delivery.content());
    assertTrue(
        delivery.content().contains("X-Spam-Flag: YES\r\nX-Spam-Status: Yes, listed=urls"),
        delivery.content());
  }
}
