package io.bloomgate.gateway.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.IpAddress;
import io.bloomgate.gateway.log.RecordPaces.Kind;
import org.junit.jupiter.api.Test;

/** The pace of records across networks; {@code RefusalFloodTest} shows that of one. */
final class RecordPacesTest {

  /** Those of all networks together are used up by 60 of them. */
  private static final int FLOODING = 100;

  private static boolean refuse(RecordPaces paces, IpAddress network, String ground) {
    Kind kind = new Kind("reject", ground);
    String id = paces.id(network, kind);
    DecisionRecord record = Decisions.refused("203.0.113.7", "drop");
    return !id.isEmpty() && paces.admit(network, kind, Decisions.with(record, id, record.time()));
  }

  @Test
  void theFirstRefusalsOfANetworkHaveIdsWhateverOthersDo() {
    RecordPaces paces = new RecordPaces(() -> 0, () -> "TESTID0001");
    int admitted = 0;
    for (int network = 0; network < FLOODING; network++) {
      for (int ground = 0; ground < RecordPaces.GROUNDS; ground++) {
        admitted += refuse(paces, IpAddress.ofV4(network << Byte.SIZE), "g" + ground) ? 1 : 0;
      }
    }
    assertTrue(admitted < FLOODING * RecordPaces.GROUNDS, admitted + " records of the flood");
    IpAddress other = IpAddress.ofV4(0x0a000000);
    int own = 0;
    for (int ground = 0; ground < RecordPaces.GROUNDS; ground++) {
      own += refuse(paces, other, "g" + ground) ? 1 : 0;
    }
    assertEquals(4, own);
  }
}
