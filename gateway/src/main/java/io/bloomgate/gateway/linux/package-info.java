/**
 * What the gateway says to Linux and hears from it: systemd's notifications, signals. Imports JDK
 * only.
 */
@NullMarked
package io.bloomgate.gateway.linux;

import org.jspecify.annotations.NullMarked;
