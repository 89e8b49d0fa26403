package io.bloomgate.gateway.page;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.config.json.JsonValue;
import io.bloomgate.gateway.page.Show.TopRows;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where the rows of the first page's tables lead. */
class TopRowsTest {

  private static String address(String link, String what) {
    return new TopRows("Top", link, List.of())
        .address(JsonValue.object().put("what", what).build());
  }

  @Test
  void yourOwnEntriesAreNoFeed() {
    assertEquals("/block", address("/feed?name=", "operator"));
    assertEquals("/feed?name=drop", address("/feed?name=", "drop"));
    assertEquals("/lookup?subject=operator", address("/lookup?subject=", "operator"));
  }
}
