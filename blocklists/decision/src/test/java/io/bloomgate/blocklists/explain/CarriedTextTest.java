package io.bloomgate.blocklists.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.content.ContentKey;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.name.WebUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What the command line finds in a mail arrives at the gateway as the same keys. */
class CarriedTextTest {

  private static WebUrl url(String text) {
    return WebUrl.asked(text).orElseThrow(() -> new AssertionError(text));
  }

  @Test
  void keysComeBack() {
    List<ContentKey> keys = new ArrayList<>();
    for (String text :
        List.of(
            "http://evil.example/a?b=c%25",
            "http://1.2.3.4/",
            // of the host only the parents can be read
            "http://a!b.evil.example/login?x=?.y",
            "http://a%20b.evil.example/",
            "http://a\u001b[2J.evil.example/",
            "http://" + "\u4e00".repeat(200) + ".evil.example/")) {
      keys.add(new ContentKey(Check.URL, url(text), Place.OPEN));
      keys.add(new ContentKey(Check.URL_HOST, url(text).host(), Place.NESTED));
    }
    DomainName broken = DomainName.asked("a!b.evil.example").orElseThrow(AssertionError::new);
    keys.add(new ContentKey(Check.FROM_DOMAIN, broken, Place.OPEN));
    assertTrue(keys.get(4).key().toString().startsWith("?.evil.example/"), keys.get(4)::toString);
    assertEquals(Parsed.ok(keys), CarriedText.parse(keys.stream().map(CarriedText::of).toList()));
  }

  /** What an option is printed with must mean the same entry when it is read back. */
  @Test
  void eachOptionReadsItsSubjectBack() {
    assertReadsBack(TypedSubject::url, "evil.example/a%20b?x=1");
    assertReadsBack(TypedSubject::url, "203.0.113.7/a");
    assertReadsBack(TypedSubject::url, "203.0.113.7");
    assertReadsBack(TypedSubject::url, "2001:db8::7");
    assertReadsBack(TypedSubject::url, "host.example");
    assertReadsBack(
        TypedSubject::sha256, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08");
    assertReadsBack(TypedSubject::fromHeader, "a@b.example");
    assertReadsBack(TypedSubject::fromHeader, "b.example");
  }

  private static void assertReadsBack(Function<String, Parsed<TypedSubject>> reader, String text) {
    TypedSubject typed = reader.apply(text).toOptional().orElseThrow();
    assertTrue(TypedSubject.option(typed.subject(), typed.scope()).isPresent(), text);
    assertEquals(typed, reader.apply(typed.subject().toString()).toOptional().orElseThrow(), text);
  }
}
