/**
 * Notifications to systemd, and signals of Linux. Imports the JDK only. Called by the composition
 * root and by housekeeping on their threads.
 */
@NullMarked
package io.bloomgate.gateway.linux;

import org.jspecify.annotations.NullMarked;
