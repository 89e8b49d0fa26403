package io.bloomgate.config.control;

import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Role;

/**
 * The least role that each request needs: the only place that says which requests ask and which
 * change something. Without a default, so that a new request does not compile until it is here.
 * Called by the gateway before it answers, on the threads of control connections and of HTTP
 * requests. Pure.
 */
public final class Rights {

  private Rights() {}

  /** The least role that may make this request. */
  public static Role needed(ControlRequest request) {
    return switch (request) {
      case ControlRequest.Status _,
          ControlRequest.Health _,
          ControlRequest.Explain _,
          ControlRequest.ExplainMail _,
          ControlRequest.FleetStatus _,
          ControlRequest.FeedsList _,
          ControlRequest.FeedsShow _,
          ControlRequest.FeedsHeldChanges _,
          ControlRequest.FeedsScore _,
          ControlRequest.ListShow _,
          ControlRequest.ListCheck _,
          ControlRequest.Audit _,
          ControlRequest.Tail _,
          ControlRequest.SessionsList _,
          ControlRequest.SessionsShow _,
          ControlRequest.SessionsTop _,
          ControlRequest.SessionsStats _,
          ControlRequest.CampaignsTop _,
          ControlRequest.SparedTop _,
          ControlRequest.Traps _,
          ControlRequest.ConfigEffective _,
          ControlRequest.Support _,
          ControlRequest.RecipientList _,
          ControlRequest.RecipientCheck _,
          ControlRequest.Doctor _ ->
          Role.READ;
      case ControlRequest.ListImport tried when tried.dryRun() -> Role.READ;
      case ControlRequest.Report shown when shown.mailTo() == null -> Role.READ;
      case ControlRequest.ListAdd added -> ofList(added.list());
      case ControlRequest.ListRemove removed -> ofList(removed.list());
      case ControlRequest.FeedsAdd _,
          ControlRequest.FeedsPromote _,
          ControlRequest.FeedsRefresh _,
          ControlRequest.FeedsEnable _,
          ControlRequest.FeedsDisable _,
          ControlRequest.FeedsAccept _,
          ControlRequest.FeedsRollback _,
          ControlRequest.ListEdit _,
          ControlRequest.RecipientSet _,
          ControlRequest.RecipientRemove _,
          ControlRequest.ListImport _,
          ControlRequest.Report _,
          ControlRequest.SpamReport _,
          ControlRequest.ConfigReload _,
          ControlRequest.AlarmsTest _,
          ControlRequest.AlarmsSeen _,
          ControlRequest.SetMode _,
          ControlRequest.Drain _,
          ControlRequest.Resume _ ->
          Role.ADMIN;
    };
  }

  /** The role support may add and remove some allow entries; their handler has the limits. */
  private static Role ofList(ListKind list) {
    return list == ListKind.ALLOW ? Role.SUPPORT : Role.ADMIN;
  }
}
