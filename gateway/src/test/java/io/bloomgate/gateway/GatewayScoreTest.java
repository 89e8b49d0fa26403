package io.bloomgate.gateway;

import static io.bloomgate.gateway.testkit.Texts.assertHas;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlClient.Answer;
import io.bloomgate.config.control.ControlRequest;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Action;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code feeds score} and {@code feeds promote} against a running gateway. */
class GatewayScoreTest {

  @TempDir private Path directory;

  private static Answer promote(GatewayHouse house, boolean auto) throws Exception {
    return house.ask(new ControlRequest.FeedsPromote("senders", auto, null));
  }

  private static JsonObject listed(GatewayHouse house) throws Exception {
    return house.ask(new ControlRequest.FeedsList()).only();
  }

  private static String promotions(GatewayHouse house) throws Exception {
    return house.status().elements("promotions").toString();
  }

  @Test
  void whatMayBeMovedIsKeptShownAndInTheAudit() throws Exception {
    GatewayHouse house = new GatewayHouse(directory).write();
    try (Gateway _ = house.start()) {
      assertEquals("[]", promotions(house));
      Answer on = promote(house, true);
      assertEquals(0, on.exitCode(), on::toString);
      assertTrue(on.only().isTrue("auto"), on::toString);
    }
    try (Gateway _ = house.start()) {
      assertTrue(listed(house).isTrue("auto"));
      assertHas(promotions(house), "senders reject, auto for ");
      house.reload();
      assertTrue(listed(house).isTrue("auto"));
      assertEquals(0, promote(house, false).exitCode());
      assertTrue(listed(house).get("auto").isEmpty());
      house.ask(new ControlRequest.FeedsPromote("senders", false, Action.REJECT));
      assertHas(promotions(house), "senders reject, promoted by ");
      assertEquals(
          List.of("senders to reject", "senders --no-auto", "senders --auto"),
          house.ask(new ControlRequest.Audit(null, 10)).items().stream()
              .filter(item -> item.text("command").orElse("").equals("feeds promote"))
              .map(item -> item.text("subject").orElse(""))
              .toList());
    }
  }
}
