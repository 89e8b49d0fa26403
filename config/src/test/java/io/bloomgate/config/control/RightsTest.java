package io.bloomgate.config.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Role;
import io.bloomgate.config.settings.Mode;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which requests ask and which change something. The compiler sees to it that none is missing. */
final class RightsTest {

  private static ControlRequest add(ListKind list) {
    return new ControlRequest.ListAdd(
        list, List.of("a.example"), null, null, null, "", null, false, false);
  }

  @Test
  void whatChangesSomethingIsForAdministrators() {
    for (ControlRequest request :
        List.of(
            new ControlRequest.SetMode(Mode.ENFORCE, null),
            new ControlRequest.Drain(),
            new ControlRequest.Resume(),
            new ControlRequest.ConfigReload(false),
            new ControlRequest.FeedsAccept("drop"),
            new ControlRequest.FeedsAdd("drop"),
            new ControlRequest.AlarmsSeen("x"),
            new ControlRequest.ListEdit(ListKind.ALLOW, List.of("a1"), "", null, true),
            add(ListKind.BLOCK),
            new ControlRequest.ListImport(ListKind.ALLOW, "x", 1, List.of(), false),
            new ControlRequest.Report(Instant.EPOCH, ReportForm.TEXT, "a@example.com"))) {
      assertEquals(Role.ADMIN, request.needed(), request::toString);
    }
  }

  @Test
  void whatAsksIsForReaders() {
    for (ControlRequest request :
        List.of(
            new ControlRequest.Status(),
            new ControlRequest.Audit(null, 1),
            new ControlRequest.ListShow(ListKind.BLOCK),
            new ControlRequest.ListImport(ListKind.ALLOW, "x", 1, List.of(), false).onTrial(),
            new ControlRequest.Report(Instant.EPOCH, ReportForm.TEXT, null))) {
      assertEquals(Role.READ, request.needed(), request::toString);
    }
    assertEquals(Role.SUPPORT, add(ListKind.ALLOW).needed());
  }

  @Test
  void aRoleCoversThoseBelowIt() {
    assertTrue(Role.SUPPORT.covers(Role.READ) && Role.SUPPORT.covers(Role.SUPPORT));
    assertFalse(Role.SUPPORT.covers(Role.ADMIN));
    assertFalse(Role.NONE.covers(Role.READ));
  }

  @Test
  void commandsAreNamedAsPeopleWriteThem() {
    assertEquals("block add", ControlCodec.words(add(ListKind.BLOCK)));
    assertEquals(
        "feeds refresh",
        ControlCodec.words(new ControlRequest.FeedsRefresh(List.of(), true, false)));
    assertEquals("mode", ControlCodec.words(new ControlRequest.SetMode(Mode.SOFT, null)));
  }
}
