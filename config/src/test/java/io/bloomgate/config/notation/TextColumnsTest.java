package io.bloomgate.config.notation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tables that are wider than the terminal. */
final class TextColumnsTest {

  private static final int LONGEST_WHOLE = 15;

  @Test
  void wordsThatAreCutAnywayGetNarrowerBeforeIdsAndAddressesAreCut() {
    List<String> row =
        List.of(
            "J10F96VHN7",
            "198.51.100.9",
            "somebody-with-a-long-name@partner.example",
            "would_reject",
            "my-senders own-memory");
    TextColumns columns = new TextColumns(List.of(row), 62, LONGEST_WHOLE);
    assertEquals(
        """
        J10F96VHN7  198.51.100.9  somebody-w  would_reject  my-senders
                                  ith-a-long                own-memory
                                  -name
                                  @partner.e
                                  xample\
        """,
        String.join("\n", columns.lines(row, _ -> false, -1, UnaryOperator.identity())));
  }
}
