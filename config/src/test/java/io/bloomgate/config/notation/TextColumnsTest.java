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

  /** A sender chooses such a text: a quoted local part without a domain. */
  @Test
  void aWordBehindManySpacesEndsToo() {
    List<String> row = List.of("1", " ".repeat(40) + "x".repeat(150));
    TextColumns columns = new TextColumns(List.of(row, row), 40, LONGEST_WHOLE);
    List<String> lines = columns.lines(row, _ -> false, -1, UnaryOperator.identity());
    assertEquals("1", lines.getFirst().substring(0, 1));
    assertEquals(150, String.join("", lines).chars().filter(c -> c == 'x').count());
  }

  @Test
  void aCommandWithALongWordIsCutByTheShell() {
    String url = "bloomgate allow add https://lists.example/" + "x".repeat(4000);
    assertEquals(
        url.replace(" ", ""),
        String.join("", TerminalText.fittedCommand(url, 80)).replace(" ", ""));
  }
}
