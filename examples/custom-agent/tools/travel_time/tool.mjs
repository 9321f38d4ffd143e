export function travel_time({ kilometres, speed, pause_minutes = 15 }) {
  const moving = Math.round((kilometres / speed) * 60);
  const pauses = Math.max(0, Math.ceil(moving / 120) - 1) * pause_minutes;
  const minutes = moving + pauses;
  return { minutes, text: `${Math.floor(minutes / 60)} h ${minutes % 60} min` };
}
