package io.bloomgate.config.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.settings.SettingsResult.Loaded;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Groups for those who may do less, and what they mean for the control socket. */
final class AdminBinderTest {

  private static Loaded loaded(String admin) {
    return Reading.loaded("admin: {read_group: desk" + admin + "}\n");
  }

  @Test
  void withGroupsAnybodyMayConnect() {
    Loaded open = loaded(", socket: /run/bg/control.sock");
    assertEquals(List.of(), open.warnings());
    assertEquals(0666, open.settings().admin().socketMode());
    assertEquals("desk", open.settings().admin().readGroup());
    assertNull(open.settings().admin().supportGroup());
  }

  @Test
  void whatKeepsTheMembersOutIsAWarning() {
    String closed = loaded("").warnings().toString();
    assertTrue(closed.contains("the state directory is closed to the members"), closed);
    String mode =
        loaded(", socket: /run/bg/control.sock, socket_mode: \"0660\"").warnings().toString();
    assertTrue(mode.contains("only the socket's own group can connect"), mode);
  }
}
