package io.bloomgate.gateway;

import io.bloomgate.gateway.doctor.ExaminedGateway;
import io.bloomgate.gateway.session.SessionRegistry;
import java.net.SocketAddress;

/** Tells the sessions which of their clients is the doctor. Used by its thread. */
record DoctorVisits(SessionRegistry sessions) implements ExaminedGateway.Probes {

  @Override
  public void begin(SocketAddress from) {
    sessions.expectProbe(from);
  }

  @Override
  public void end(SocketAddress from) {
    sessions.endProbe(from);
  }
}
