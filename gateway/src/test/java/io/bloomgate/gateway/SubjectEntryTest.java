package io.bloomgate.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.operator.TypedSubject;
import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.testkit.Addition;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An entry of a subject is stored as a hash, and its reason is all that shows the text. */
final class SubjectEntryTest {

  @TempDir private Path directory;

  @Test
  void anotherReasonKeepsTheTextOfTheSubject() throws Exception {
    TypedSubject typed = TypedSubject.subject("Buy cheap pills; now").toOptional().orElseThrow();
    String hash = typed.subject().written();
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway _ = house.start()) {
      assertEquals(
          "subject: Buy cheap pills; now; ticket 9",
          reason(house.ask(add(hash, typed.reasonWith("ticket 9")))));
      assertEquals(
          "subject: Buy cheap pills; now; by hash", reason(house.ask(add(hash, "by hash"))));
      assertEquals("subject: Buy cheap pills; now; gone on", reason(edit(house, hash, "gone on")));
      assertEquals("subject: Buy cheap pills; now", reason(edit(house, "b1", "")));
      assertEquals(
          "subject: Buy cheap pills; now; x", reason(edit(house, "b1", typed.reasonWith("x"))));
      assertEquals(
          1,
          house
              .ask(new ControlRequest.ListShow(ListKind.BLOCK, "*pills*", 9, null))
              .items()
              .size());
    }
  }

  private static ControlRequest add(String hash, String reason) {
    return Addition.block(hash).reason(reason).scope(Check.SUBJECT).request();
  }

  private static Answer edit(GatewayHouse house, String named, String reason) throws Exception {
    return house.ask(
        new ControlRequest.ListEdit(ListKind.BLOCK, List.of(named), reason, null, false, null));
  }

  private static String reason(Answer answer) {
    return answer.only().text("reason").orElse("");
  }
}
