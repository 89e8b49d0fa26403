package io.bloomgate.gateway.admin;

import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.explain.SenderKeys;
import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.gateway.incidents.Incident;

/** What {@code allow add --incident} makes of an incident. Pure; used by {@link ListHandlers}. */
final class IncidentEntry {

  private IncidentEntry() {}

  /** The session of an incident, as far as it was kept. */
  static Facts facts(Incident incident) {
    Facts facts =
        Facts.ofClient(incident.client()).withHelo(HeloKeys.parse(incident.helo()).orElse(null));
    String from = incident.from();
    SenderKeys sender =
        from == null ? SenderKeys.NONE : SenderKeys.parse(from).orElse(SenderKeys.NONE);
    return facts.withSender(sender.forms(), sender.domain());
  }

  /**
   * The entry that lifts an incident; options that were typed win.
   *
   * @param typed its subject with the options of the command
   * @param remedy as {@code explain} prints it
   */
  static NewEntry asTyped(NewEntry typed, NewEntry remedy) {
    boolean scoped = typed.anyScope() || !typed.scope().isEmpty();
    return new NewEntry(
        typed.list(),
        typed.subject(),
        typed.from() == null ? remedy.from() : typed.from(),
        scoped ? typed.scope() : remedy.scope(),
        typed.anyScope(),
        typed.reason(),
        typed.expires());
  }
}
