package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mailboxes as lists compare them. */
class MailAddressTest {

  private static final long SEED = 0x10ad_ed5e_ed04L;

  private static MailAddress address(String text) {
    return MailAddress.parse(text).toOptional().orElseThrow(() -> new AssertionError(text));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "Bad.Sender@Mail.Example.COM, bad.sender@mail.example.com",
        "\"abc\"@example.com, abc@example.com",
        "\"a\\bc\"@example.com, abc@example.com",
        "\"quoted local\"@example.com, \"quoted local\"@example.com",
        "\"at@inside\"@example.com, \"at@inside\"@example.com",
        "\"a\\\"b\"@example.com, \"a\\\"b\"@example.com",
        "\"\"@example.com, \"\"@example.com",
        "a..b.@example.com, a..b.@example.com",
        "\"a..b.\"@example.com, a..b.@example.com",
        "ÜNÏCODE@bücher.example, ünïcode@xn--bcher-kva.example",
        "u\u0308@example.com, ü@example.com",
        "postmaster@[192.0.2.1], postmaster@[192.0.2.1]",
        "a@[ipv6:2001:DB8::0:1], a@[IPv6:2001:db8::1]",
        "a@[IPv6:::ffff:192.0.2.1], a@[192.0.2.1]",
        "a=b+c@example.com., a=b+c@example.com",
      })
  void readsOneValue(String written, String canonical) {
    assertEquals(canonical, address(written).toString());
    assertEquals(address(canonical), address(written));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "a",
        "@example.com",
        "two@@example.com",
        "a@com",
        "\"a@example.com",
        "\"a\"b@example.com",
        "\"a\\\"@example.com",
        "a@[192.0.2.1",
        "a@[2001:db8::1]",
        "a@[IPv6:192.0.2.1]",
        "a@[010.0.0.1]",
        "@x.example:a@example.com",
        "a\u0000@example.com",
        "\"a\nb\"@example.com",
      })
  void refuses(String text) {
    assertInstanceOf(Parsed.Bad.class, MailAddress.parse(text), text);
  }

  @Test
  void boundsTheLocalPart() {
    address("l".repeat(MailAddress.MAX_LOCAL_OCTETS) + "@example.com");
    assertInstanceOf(
        Parsed.Bad.class,
        MailAddress.parse("l".repeat(MailAddress.MAX_LOCAL_OCTETS + 1) + "@example.com"));
    assertInstanceOf(
        Parsed.Bad.class,
        MailAddress.parse("ü".repeat(MailAddress.MAX_LOCAL_OCTETS / 2 + 1) + "@example.com"));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "a@example.com, a@example.com",
        "A+Tag@example.com, a+tag@example.com a@example.com",
        "prvs=0123ab=a+t@example.com,"
            + " prvs=0123ab=a+t@example.com a+t@example.com a@example.com",
        "PRVS=0123AB=a@example.com, prvs=0123ab=a@example.com a@example.com",
        "prvs==a@example.com, prvs==a@example.com",
        "prvs=1=@example.com, prvs=1=@example.com",
        "+tag@example.com, +tag@example.com",
        "SRS0=x=tt=o.example=b@example.com, srs0=x=tt=o.example=b@example.com",
        "\"a+b c\"@example.com, \"a+b c\"@example.com a@example.com",
      })
  void asksTheDocumentedForms(String written, String forms) {
    List<String> asked = address(written).askedForms().stream().map(Object::toString).toList();
    assertEquals(forms, String.join(" ", asked));
  }

  @Test
  void readingIsTotalAndStable() {
    Random random = new Random(SEED);
    String alphabet = "ab+=.@\"\\ []:üprvs=1\u0000\ud800";
    for (int i = 0; i < 30_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(16); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      text.append(random.nextInt(3) == 0 ? "" : "@example.com");
      MailAddress.parse(text.toString())
          .toOptional()
          .ifPresent(a -> {
            assertEquals(a, address(a.toString()), "seed " + SEED + ": " + text);
            a.askedForms().forEach(f -> assertEquals(f, address(f.toString())));
          });
    }
  }
}
