package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.json.JsonValue.JsonString;
import io.bloomgate.config.json.JsonValue.ObjectBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code fleet status} says of nodes that differ. */
class FleetRowsTest {

  private static ObjectBuilder row(String node, String mode, Optional<List<String>> rolledBack) {
    return JsonValue.object()
        .put("node", node)
        .put("self", node.equals("mx1"))
        .put("connected", true)
        .put("mode", mode)
        .put(FleetRows.ROLLED_BACK, FleetRows.names(rolledBack));
  }

  private static ObjectBuilder row(String node, String mode, String... rolledBack) {
    return row(node, mode, Optional.of(List.of(rolledBack)));
  }

  /** Notices of the node that is asked; the others have none. */
  private static List<String> notices(ObjectBuilder... rows) {
    List<JsonObject> complete =
        FleetRows.complete(
            List.of(rows).stream()
                .map(row -> row.put("notices", JsonValue.ofStrings(List.of())).build())
                .toList());
    for (JsonObject row : complete) {
      assertTrue(row.isTrue("self") || row.elements("notices").isEmpty(), row::toString);
    }
    return complete.getFirst().elements("notices").stream()
        .map(notice -> notice instanceof JsonString(String text) ? text : "")
        .toList();
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
    assertEquals(
        List.of(), notices(row("mx1", "soft"), row("mx2", "enforce").put("connected", false)));
    assertEquals(List.of(), notices(row("mx1", "soft"), row("mx2", "")), "not said");
  }

  @Test
  void aFeedThatSomeHaveRolledBackIsNamedWithBothSides() {
    String notice =
        notices(row("mx1", "soft"), row("mx2", "soft", "hosts"), row("mx3", "soft")).getFirst();
    assertTrue(notice.startsWith("feed hosts is rolled back on mx2 and not on mx1, mx3: "), notice);
    assertEquals(
        List.of(),
        notices(row("mx1", "soft", "hosts"), row("mx2", "soft", Optional.empty())),
        "who has not said it yet");
  }

  @Test
  void everyRowHasTheMembersOfAll() {
    List<JsonObject> rows =
        FleetRows.complete(
            List.of(
                row("mx1", "soft").put("problem", "x").build(),
                row("mx2", "soft").put("lag_ms", 7).build()));
    assertEquals(rows.getFirst().members().keySet(), rows.getLast().members().keySet());
    assertEquals(Optional.empty(), rows.getLast().text("problem"));
  }
}
