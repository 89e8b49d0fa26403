package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.fleet.FleetNode;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.gateway.admin.FleetHandler.FleetRows;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@code fleet status} says of nodes that differ. */
class FleetRowsTest {

  private static FleetNode row(
      String node, boolean here, String mode, @Nullable List<String> rolled) {
    FleetNode.Beat beat =
        new FleetNode.Beat("start", "", "", new FleetNode.State(mode, rolled), 0, "", 0, 0, 0);
    return new FleetNode(node, here, false, 0, beat);
  }

  private static FleetNode row(String node, String mode, String... rolledBack) {
    return row(node, true, mode, List.of(rolledBack));
  }

  private static List<String> notices(FleetNode... rows) {
    return FleetRows.differences(List.of(rows));
  }

  @Test
  void nodesThatAreAlikeAreNoNews() {
    assertEquals(
        List.of(), notices(row("mx1", "enforce", "hosts"), row("mx2", "enforce", "hosts")));
  }

  @Test
  void modesThatDifferAreNamedWithTheirNodes() {
    String notice =
        notices(row("mx1", "soft"), row("mx2", "enforce"), row("mx3", "soft")).getFirst();
    assertTrue(notice.startsWith("modes differ: enforce on mx2; soft on mx1, mx3; "), notice);
    assertEquals(List.of(), notices(row("mx1", "soft"), row("mx2", false, "enforce", List.of())));
    assertEquals(List.of(), notices(row("mx1", "soft"), row("mx2", "")), "not said");
  }

  @Test
  void aFeedThatSomeHaveRolledBackIsNamedWithBothSides() {
    String notice =
        notices(row("mx1", "soft"), row("mx2", "soft", "hosts"), row("mx3", "soft")).getFirst();
    assertTrue(notice.startsWith("feed hosts is rolled back on mx2 and not on mx1, mx3: "), notice);
    assertEquals(
        List.of(),
        notices(row("mx1", "soft", "hosts"), row("mx2", true, "soft", null)),
        "who has not said it yet");
  }

  @Test
  void everyRowHasTheMembersOfAll() {
    List<JsonObject> rows =
        FleetRows.complete(
            List.of(
                JsonValue.object().put("node", "mx1").put("problem", "x").build(),
                JsonValue.object().put("node", "mx2").put("lag_ms", 7).build()));
    assertEquals(rows.getFirst().members().keySet(), rows.getLast().members().keySet());
    assertEquals(Optional.empty(), rows.getLast().text("problem"));
  }
}
