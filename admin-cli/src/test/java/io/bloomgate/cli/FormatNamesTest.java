package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.feed.FeedFormat;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.FormatSyntax;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The settings know the same formats as the parsers; neither module may import the other's. */
class FormatNamesTest {

  static java.util.List<FeedFormat.Kind> kinds() {
    return FeedFormat.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void settingsAndParsersKnowTheSameNames(FeedFormat.Kind kind) throws BadValueException {
    assertEquals(kind.name(), FormatSyntax.check(kind.name()));
  }
}
