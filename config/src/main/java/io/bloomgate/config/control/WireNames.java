package io.bloomgate.config.control;

import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The names on the wire: of commands, and of members that are not named as their component is.
 * Asked by {@link ControlCodec} and {@link WireRecord}; immutable, any thread. Tables and not
 * annotations: to read these, Java makes classes at run time, which takes as long as the rest of a
 * short command.
 */
final class WireNames {

  /** A command of both of the operator's lists has the name of the list in front of it. */
  private static final Map<Class<?>, String> COMMANDS =
      Map.ofEntries(
          Map.entry(ControlRequest.Status.class, "status"),
          Map.entry(ControlRequest.Health.class, "health"),
          Map.entry(ControlRequest.Explain.class, "explain"),
          Map.entry(ControlRequest.ExplainMail.class, "explain.mail"),
          Map.entry(ControlRequest.FleetStatus.class, "fleet.status"),
          Map.entry(ControlRequest.FeedsList.class, "feeds.list"),
          Map.entry(ControlRequest.FeedsShow.class, "feeds.show"),
          Map.entry(ControlRequest.FeedsHeldChanges.class, "feeds.held_changes"),
          Map.entry(ControlRequest.FeedsRefresh.class, "feeds.refresh"),
          Map.entry(ControlRequest.FeedsScore.class, "feeds.score"),
          Map.entry(ControlRequest.FeedsPromote.class, "feeds.promote"),
          Map.entry(ControlRequest.FeedsEnable.class, "feeds.enable"),
          Map.entry(ControlRequest.FeedsDisable.class, "feeds.disable"),
          Map.entry(ControlRequest.FeedsAccept.class, "feeds.accept"),
          Map.entry(ControlRequest.FeedsRollback.class, "feeds.rollback"),
          Map.entry(ControlRequest.ListAdd.class, "add"),
          Map.entry(ControlRequest.ListShow.class, "list"),
          Map.entry(ControlRequest.ListEdit.class, "edit"),
          Map.entry(ControlRequest.Audit.class, "audit"),
          Map.entry(ControlRequest.ListRemove.class, "remove"),
          Map.entry(ControlRequest.ListCheck.class, "check"),
          Map.entry(ControlRequest.ListImport.class, "import"),
          Map.entry(ControlRequest.Tail.class, "tail"),
          Map.entry(ControlRequest.SessionsList.class, "sessions.list"),
          Map.entry(ControlRequest.SessionsShow.class, "sessions.show"),
          Map.entry(ControlRequest.SessionsTop.class, "sessions.top"),
          Map.entry(ControlRequest.CampaignsTop.class, "campaigns.top"),
          Map.entry(ControlRequest.SessionsStats.class, "sessions.stats"),
          Map.entry(ControlRequest.ConfigReload.class, "config.reload"),
          Map.entry(ControlRequest.ConfigEffective.class, "config.effective"),
          Map.entry(ControlRequest.Support.class, "support"),
          Map.entry(ControlRequest.SetMode.class, "mode"),
          Map.entry(ControlRequest.Drain.class, "drain"),
          Map.entry(ControlRequest.Doctor.class, "doctor"),
          Map.entry(ControlRequest.Report.class, "report"),
          Map.entry(ControlRequest.Resume.class, "resume"));

  /** The names of members, by component. The first member of a reply names its kind. */
  private static final Map<Class<?>, Map<String, String>> MEMBERS =
      Map.of(
          ControlReply.Item.class, Map.of("value", "item"),
          ControlReply.Progress.class, Map.of("text", "progress"),
          ControlReply.Note.class, Map.of("text", "note"),
          ControlReply.Done.class, Map.of("exitCode", "done"),
          ControlReply.Failed.class, Map.of("exitCode", "failed"),
          ControlRequest.FeedsDisable.class, Map.of("duration", "for"),
          ControlRequest.SetMode.class, Map.of("duration", "for"));

  private WireNames() {}

  /** The name of a command. */
  static String command(Class<?> request) {
    return Objects.requireNonNull(COMMANDS.get(request), request::getName);
  }

  /** The name of a member: that of the component in snake case, but for a few. */
  static String member(RecordComponent component) {
    String name = component.getName();
    String other = MEMBERS.getOrDefault(component.getDeclaringRecord(), Map.of()).get(name);
    return other != null ? other : name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }
}
