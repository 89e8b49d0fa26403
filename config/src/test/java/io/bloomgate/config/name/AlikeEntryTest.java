package io.bloomgate.config.name;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The entry of a listing of a text, as sessions keep it. */
class AlikeEntryTest {

  @Test
  void whatIsKeptIsReadAgain() {
    short[] minima = new short[Likeness.MINIMA];
    Likeness stored = Likeness.of(minima);
    minima[0] = 1;
    AlikeEntry entry = AlikeEntry.of("b12", Likeness.of(minima), stored);
    assertEquals("b12, 31 of 32", entry.toString());
    assertEquals(Optional.of(entry), AlikeEntry.parse(entry.toString()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "b12", ", 3 of 4", "b, 3 of 4x", "b1x, 3 of 4", "b1, 3 of ", "spam.example"})
  void otherEntriesAreNone(String text) {
    assertEquals(Optional.empty(), AlikeEntry.parse(text));
  }
}
