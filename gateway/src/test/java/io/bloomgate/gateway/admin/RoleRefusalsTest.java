package io.bloomgate.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.config.control.ControlRequest.ListAdd;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.gateway.admin.ReplySender.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the role support may add; what a whole gateway refuses is in the story of the roles. */
final class RoleRefusalsTest {

  private static final Instant NOW = Instant.parse("2026-12-01T12:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);

  private static boolean mayAdd(
      @Nullable String incident,
      @Nullable Duration end,
      boolean forEver,
      @Nullable Duration unused) {
    ListAdd request =
        new ListAdd(
            ListKind.ALLOW,
            List.of("a.example"),
            incident,
            null,
            end == null ? null : NOW.plus(end),
            "a ticket",
            null,
            false,
            false,
            forEver,
            null,
            unused);
    try {
      RoleRefusals.checkAdding(request, NOW);
      return true;
    } catch (RefusedException e) {
      return false;
    }
  }

  @Test
  void whatEndsInSevenDaysMayBeAdded() {
    assertTrue(mayAdd(null, WEEK, false, null));
    assertTrue(mayAdd("7K3Q9ZT2AB", null, false, null));
  }

  @Test
  void whatMayStayLongerIsRefused() {
    assertFalse(mayAdd(null, null, false, null));
    assertFalse(mayAdd(null, WEEK.plusSeconds(1), false, null));
    assertFalse(mayAdd("7K3Q9ZT2AB", WEEK.plusSeconds(1), false, null));
    assertFalse(mayAdd("7K3Q9ZT2AB", null, true, null));
    assertFalse(mayAdd(null, WEEK, true, null));
  }

  @Test
  void entriesOfANameThatBeginsAlikeAreThoseOfAnother() {
    assertTrue(RoleRefusals.isOf("ann", "ann"));
    assertTrue(RoleRefusals.isOf("ann", "ann@mx2.example.com"));
    assertFalse(RoleRefusals.isOf("ann", "anna"));
    assertFalse(RoleRefusals.isOf("ann", "root"));
  }

  /** An end that each use puts off. */
  @Test
  void whatEndsWithoutUseIsRefused() {
    for (Duration unused : List.of(Duration.ofDays(1), Duration.ofDays(400))) {
      assertFalse(mayAdd(null, null, false, unused));
      assertFalse(mayAdd("7K3Q9ZT2AB", null, false, unused));
      assertFalse(mayAdd(null, WEEK, false, unused));
    }
  }
}
