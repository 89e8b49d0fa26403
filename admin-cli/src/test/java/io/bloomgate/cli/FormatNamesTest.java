package io.bloomgate.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    if (kind.available()) {
      assertEquals(kind.name(), FormatSyntax.check(kind.name()));
    } else {
      BadValueException later =
          assertThrows(BadValueException.class, () -> FormatSyntax.check(kind.name()));
      assertTrue(later.problem().contains("not in this release"), later::problem);
    }
  }
}
