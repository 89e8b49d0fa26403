package io.bloomgate.blocklists.operator;

import static io.bloomgate.blocklists.operator.Entries.NOW;
import static io.bloomgate.blocklists.operator.Entries.subject;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.campaign.SubjectPrint;
import io.bloomgate.blocklists.operator.OperatorRules.Refusal;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Parsed;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the options of {@code allow} and {@code block} mean, and what is too wide of it. */
class TypedSubjectTest {

  private static final String HEX = "0123456789abcdef".repeat(4);

  private static final WidthRules WIDTHS =
      new WidthRules(
          List.of("own.example"), List.of(), name -> name.toString().equals("blogs.example"));

  private static String text(Parsed<TypedSubject> parsed) {
    return switch (parsed) {
      case Parsed.Ok<TypedSubject>(TypedSubject typed, var ignored) -> {
        NewEntry entry = entry(ListKind.BLOCK, typed);
        String line = OperatorText.format(entry);
        assertEquals(entry, Entries.block(line), "a line is read back as the same entry");
        yield line;
      }
      case Parsed.Bad<TypedSubject>(String reason) -> "bad: " + reason;
    };
  }

  private static NewEntry entry(ListKind list, TypedSubject typed) {
    return new NewEntry(list, typed.subject(), null, typed.scope(), false, typed.reason(), null);
  }

  @Test
  void aUrlMeansItselfAndAHostAllUrlsThere() {
    assertEquals(
        "//docs.example/a/b?c=1 scope=url",
        text(TypedSubject.url("HTTPS://user@Docs.example:8443/x/../a/b?c=1#d")));
    assertEquals(
        "//docs.example/a\"b scope=url", text(TypedSubject.url("http://docs.example/a\"b")));
    assertEquals("docs.example scope=url_host", text(TypedSubject.url("Docs.example")));
    assertEquals("docs.example scope=url_host", text(TypedSubject.url("https://docs.example/")));
    assertEquals("192.0.2.9 scope=url_host", text(TypedSubject.url("192.0.2.9")));
    assertEquals("192.0.2.9 scope=url_host", text(TypedSubject.url("http://0xc0000209")));
    assertTrue(text(TypedSubject.url("mailto:a@b.example")).startsWith("bad: "));
    assertTrue(text(TypedSubject.url("")).startsWith("bad: "));
  }

  @Test
  void fingerprintsAndSenders() {
    assertEquals(
        HEX + " scope=attachment", text(TypedSubject.sha256(HEX.toUpperCase(Locale.ROOT))));
    assertTrue(text(TypedSubject.sha256(HEX.substring(1))).startsWith("bad: "));
    String subject = "RE: Your invoice no. 4711!";
    assertEquals(
        SubjectPrint.of(subject).orElseThrow() + " scope=subject # subject: " + subject,
        text(TypedSubject.subject(subject)));
    assertEquals(
        TypedSubject.subject("your INVOICE no 12").toOptional().orElseThrow().subject(),
        TypedSubject.subject(subject).toOptional().orElseThrow().subject());
    assertTrue(text(TypedSubject.subject("hello")).startsWith("bad: "));
    assertEquals("bob@spam.example scope=from", text(TypedSubject.fromHeader("Bob@spam.example")));
    assertEquals("spam.example scope=from_domain", text(TypedSubject.fromHeader("Spam.example")));
    assertEquals("spam.example scope=from_domain", text(TypedSubject.fromHeader("@spam.example")));
  }

  private static String refusal(String url, ListKind list) {
    TypedSubject typed = TypedSubject.url(url).toOptional().orElseThrow();
    Optional<Refusal> refusal =
        OperatorRules.check(entry(list, typed), WIDTHS, OperatorView.EMPTY, NOW, false);
    assertEquals(
        Optional.empty(),
        OperatorRules.check(entry(list, typed), WIDTHS, OperatorView.EMPTY, NOW, true),
        "--force takes it");
    return refusal.map(Refusal::message).orElse("taken");
  }

  @Test
  void hostsOfStrangersNeedForce() {
    assertTrue(refusal("sites.google.com", ListKind.BLOCK).contains("shared host"));
    assertTrue(refusal("https://bit.ly/", ListKind.BLOCK).contains("shared host"));
    assertTrue(refusal("blogs.example", ListKind.BLOCK).contains("public suffix"));
    assertTrue(refusal("own.example", ListKind.BLOCK).contains("own domain"));
    assertEquals("taken", refusal("https://sites.google.com/view/x", ListKind.BLOCK));
    assertEquals("taken", refusal("shop.blogs.example", ListKind.BLOCK));
    assertEquals("taken", refusal("sites.google.com", ListKind.ALLOW));
  }

  @Test
  void anEntryOfADomainAloneIsAboutSenders() {
    TypedSubject url = TypedSubject.url("https://a.docs.example/x").toOptional().orElseThrow();
    assertEquals(List.of("//a.docs.example/x", "a.docs.example"), url.asked());
    assertTrue(url.isMeantBy(subject("docs.example"), Set.of(Check.URL_HOST)));
    assertTrue(url.isMeantBy(subject("//a.docs.example/"), Set.of()));
    assertFalse(url.isMeantBy(subject("docs.example"), Set.of()));
    assertFalse(url.isMeantBy(subject("docs.example"), Set.of(Check.HELO)));
    TypedSubject sender = TypedSubject.fromHeader("b@docs.example").toOptional().orElseThrow();
    assertTrue(sender.isMeantBy(subject("docs.example"), Set.of(Check.FROM_DOMAIN)));
    assertFalse(sender.isMeantBy(subject("b@docs.example"), Set.of()));
  }
}
