package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.FormatSyntax;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings know the same formats as the parsers; neither module may import the other's. */
class FormatNamesTest {

  private static final String TYPES = "types of rbldnsd are: ";

  /** Names as people write them, TYPE filled in with each type that there is. */
  static Stream<String> names() {
    return FeedFormat.kinds().stream()
        .map(FeedFormat.Kind::name)
        .flatMap(name -> name.equals("rbldnsd:TYPE") ? types() : Stream.of(name));
  }

  private static Stream<String> types() {
    String hint = assertInstanceOf(Parsed.Bad.class, FeedFormat.named("rbldnsd:TYPE")).reason();
    assertTrue(hint.startsWith(TYPES), hint);
    return Stream.of(hint.substring(TYPES.length()).split(", ", -1))
        .flatMap(type -> Stream.of(type, "rbldnsd:" + type));
  }

  @ParameterizedTest
  @MethodSource("names")
  void settingsAndParsersKnowTheSameNames(String name) throws BadValueException {
    assertEquals(name, FormatSyntax.check(name));
    assertInstanceOf(Parsed.Ok.class, FeedFormat.named(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rbldnsd:TYPE", "rbldnsd:generic", "rbldnsd:", "ip4sets", "ips:x"})
  void neitherKnowsAnother(String name) {
    assertThrows(BadValueException.class, () -> FormatSyntax.check(name));
    assertInstanceOf(Parsed.Bad.class, FeedFormat.named(name));
  }
}
