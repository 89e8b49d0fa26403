package io.bloomgate.blocklists.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids as people write them. */
class IncidentIdTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"7K3Q9ZT21B", "7k3q9zt2ib", "[7K3Q9ZT21B]", " [7k3q9zt2lb] ", "7K3Q9ZT21B "})
  void anIdIsReadAsItIsPasted(String text) {
    assertEquals(Optional.of("7K3Q9ZT21B"), IncidentId.canonical(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "[7K3Q9ZT21B",
        "7K3Q9ZT21B]",
        "7K3Q9ZT21",
        "[[7K3Q9ZT21B]]",
        "[::1]",
        "7K3Q9ZT21ß",
        "7K3Q9ZT2ſı"
      })
  void otherTextsAreNoIds(String text) {
    assertEquals(Optional.empty(), IncidentId.canonical(text));
  }
}
