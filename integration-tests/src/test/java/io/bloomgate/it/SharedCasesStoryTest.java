package io.bloomgate.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.checkout.Checkout;
import io.bloomgate.gateway.testkit.SmtpClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Mails of bug reports whose links are listed: replies and bounces that quote a link, links that a
 * scanner wrapped. They are beside the repository ({@code ../shared/cases}) and not part of it;
 * where they are missing the test is skipped.
 */
class SharedCasesStoryTest extends Story {

  private static final Path CASES = Checkout.root().resolve("../shared/cases");

  private static Path aCase(String name) {
    Path found = CASES.resolve(name);
    Assumptions.assumeTrue(Files.isDirectory(found), "no shared cases here: " + found);
    return found;
  }

  private static List<Path> mails(Path of) throws IOException {
    try (Stream<Path> files = Files.list(of)) {
      return files.filter(file -> file.toString().endsWith(".eml")).sorted().toList();
    }
  }

  private void start(Path of) throws IOException {
    String feed =
        """

          sources:
            urls: {file: %s, format: urls, checks: [url, url_host], action: reject}\
        """
            .formatted(of.resolve("urls.txt"));
    gateway.with("feeds", feed);
    gateway.prepare().start();
  }

  /** {@code 554}, or {@code tag} and {@code accept} of what the mail server got. */
  private String answer(String from, String mail) throws IOException {
    try (SmtpClient client = SmtpClient.proxied(gateway.port("mx"), "45.66.7.8")) {
      client.lines();
      client.command("EHLO mx.other-sample.com");
      SmtpClient.expect("250", client.command("MAIL FROM:<" + from + ">"));
      SmtpClient.expect("250", client.command("RCPT TO:<bob@example.com>"));
      String reply = client.message(mail.replace("\r\n", "\n").replace("\n", "\r\n"));
      if (!reply.startsWith("250")) {
        return reply.substring(0, 3);
      }
      return upstream.nextDelivery().content().contains("X-Spam-Flag: YES") ? "tag" : "accept";
    }
  }

  private Map<String, String> answers(String name, String from) throws IOException {
    Path of = aCase(name);
    Map<String, String> answers = new TreeMap<>();
    start(of);
    for (Path mail : mails(of)) {
      String text = Files.readString(mail, ISO_8859_1);
      answers.put(mail.getFileName().toString(), answer(from, text));
    }
    return answers;
  }

  @Test
  void aReplyIsNotRefusedForWhatItQuotes() throws IOException {
    Map<String, String> answers = answers("10-quote-of-a-reply", "joe@other-sample.com");
    Map<String, String> right = new TreeMap<>();
    answers
        .keySet()
        .forEach(name ->
            right.put(
                name, name.contains("own-link") || name.contains("not-a-block") ? "554" : "tag"));
    assertEquals(right, answers);
  }

  @Test
  void aBounceInPlainTextIsNotLost() throws IOException {
    Map<String, String> answers = answers("11-plain-bounces", "");
    assertTrue(!answers.isEmpty() && !answers.containsValue("554"), answers::toString);
  }

  @Test
  void whatALinkOfAScannerLeadsToIsRefused() throws IOException {
    Path of = aCase("12-wrapped-links");
    Map<String, String> answers = new TreeMap<>();
    start(of);
    for (String line : Files.readAllLines(of.resolve("links.txt"))) {
      if (!line.startsWith("#")) {
        String link = line.substring(0, line.indexOf(" | "));
        String mail = "From: joe@other-sample.com\nSubject: a\n\nsee " + link + "\n";
        answers.put(link, answer("joe@other-sample.com", mail));
      }
    }
    assertTrue(
        !answers.isEmpty() && answers.values().stream().allMatch("554"::equals), answers::toString);
  }
}
