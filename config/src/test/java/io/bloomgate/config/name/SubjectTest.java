package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people type in place of a subject, as other mail software writes it. */
class SubjectTest {

  private static String parsed(String text) {
    return switch (Subject.parse(text)) {
      case Parsed.Ok<Subject>(Subject subject, var ignored) -> subject.toString();
      case Parsed.Bad<Subject>(String reason) -> "bad: " + reason;
    };
  }

  @ParameterizedTest
  @CsvSource({
    "[192.0.2.1], 192.0.2.1",
    "unknown[192.0.2.1], 192.0.2.1",
    "mail.foo.example[192.0.2.1]:4711, 192.0.2.1",
    "192.0.2.1:25, 192.0.2.1",
    "[192.0.2.0/24], 192.0.2.0/24",
    "[192.0.2.0]/24, 192.0.2.0/24",
    "[2001:db8::1], 2001:db8::1",
    "[IPv6:2001:db8::1], 2001:db8::1",
    "[2001:db8::]/32, 2001:db8::/32",
    "[2001:db8::1]:25, 2001:db8::1",
    "<x@foo.example>, x@foo.example",
    "x@[192.0.2.1], x@[192.0.2.1]",
    "2001:db8::25, 2001:db8::25",
    "*.foo.example, 'bad: write foo.example: it means the domain, its addresses and all names below"
        + " it'",
    "@foo.example, 'bad: write foo.example: it means the domain, its addresses and all names below"
        + " it'",
    "*@foo.example, 'bad: write foo.example: it means the domain, its addresses and all names below"
        + " it'",
    "@localhost, bad: nothing before the at sign",
    "*.foo_bar!.example, bad: character that no domain name has",
    "foo.example, foo.example",
    "<, bad: character that no domain name has",
    "[192.0.2.1, bad: not an IP address",
  })
  void valuesAreReadAsLogsWriteThem(String text, String subject) {
    assertEquals(subject, parsed(text));
  }
}
