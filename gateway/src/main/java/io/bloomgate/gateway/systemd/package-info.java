/** What the gateway tells systemd when it runs as a service of its. Imports JDK only. */
@NullMarked
package io.bloomgate.gateway.systemd;

import org.jspecify.annotations.NullMarked;
