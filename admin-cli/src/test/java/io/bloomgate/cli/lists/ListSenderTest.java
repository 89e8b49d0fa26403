package io.bloomgate.cli.lists;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.cli.command.ExitCode;
import io.bloomgate.config.control.ControlCodec;
import io.bloomgate.config.control.ControlRequest.ListImport;
import io.bloomgate.config.name.ListKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pieces in which an import goes to the gateway. */
class ListSenderTest {

  private static List<ListImport> pieces(List<String> lines) throws Exception {
    List<ListImport> pieces = new ArrayList<>();
    Iterator<String> rest = lines.iterator();
    new ListSender(
            (piece, answer) -> {
              pieces.add(
                  new ListImport(
                      piece.list(),
                      piece.file(),
                      piece.firstLine(),
                      List.copyOf(piece.lines()),
                      piece.force()));
              return ExitCode.OK;
            },
            "partners.list",
            false)
        .send(ListKind.ALLOW, () -> rest.hasNext() ? rest.next() : null);
    return pieces;
  }

  /** What JSON escapes takes six octets for one. */
  @Test
  void noPieceIsLongerThanTheGatewayTakes() throws Exception {
    for (String text : List.of("\u0001", "\"", "\u2028", "\ud83d\ude00")) {
      List<String> lines = Collections.nCopies(5_000, text.repeat(100));
      List<ListImport> pieces = pieces(lines);
      for (ListImport piece : pieces) {
        int octets = ControlCodec.encode(piece).getBytes(UTF_8).length + 1;
        assertTrue(octets <= ControlCodec.MAX_REQUEST_OCTETS, octets + " octets");
      }
      assertEquals(lines, pieces.stream().flatMap(piece -> piece.lines().stream()).toList());
    }
  }
}
