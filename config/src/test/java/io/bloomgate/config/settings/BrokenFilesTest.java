package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.bloomgate.config.settings.SettingsResult.Invalid;
import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Broken settings files, each with the very lines that an operator must see. The fixture holds
 * cases {@code === NAME}, the file, {@code --- problems}, and the expected problems.
 */
class BrokenFilesTest {

  private static final String FIXTURE = "broken.txt";
  private static final int MIN_CASES = 30;

  @TestFactory
  Stream<DynamicTest> everyProblemIsNamedWithItsPlaceAndItsCure() throws IOException {
    String[] cases = fixture().split("(?m)^=== ", -1);
    assertTrue(cases.length > MIN_CASES, "cases: " + cases.length);
    return Stream.of(cases)
        .skip(1)
        .map(text -> {
          String name = text.substring(0, text.indexOf('\n'));
          String[] parts = text.substring(name.length() + 1).split("(?m)^--- problems\n", -1);
          return DynamicTest.dynamicTest(name, () -> assertEquals(parts[1], problems(parts[0])));
        });
  }

  private static String problems(String text) {
    return switch (SettingsFile.parse("/f.yaml", text, Map.of(), () -> "mx.example.com")) {
      case Invalid(var problems) ->
          problems.stream().map(p -> p + "\n").collect(Collectors.joining());
      case Loaded _ -> fail("was accepted");
    };
  }

  private static String fixture() throws IOException {
    try (InputStream in = BrokenFilesTest.class.getResourceAsStream(FIXTURE)) {
      if (in == null) {
        throw new IOException("no fixture");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
