package io.bloomgate.blocklists.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.blocklists.fleet.FleetTroubles.Work;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What fails because the gateway ends is no alarm. */
final class FleetTroublesTest {

  private final List<String> alarms = new ArrayList<>();
  private final FleetTroubles troubles =
      new FleetTroubles("fleet", "changes wait on the disk until it works again", alarms::add);

  @Test
  void nothingIsAnAlarmBehindTheEnd() {
    troubles.works(Work.READ, "redis");
    troubles.end();
    troubles.failed(Work.SEND, "Pool not open");
    assertEquals(List.of(), alarms);
    assertEquals("", troubles.problem());
  }
}
